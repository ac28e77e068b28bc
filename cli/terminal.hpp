// Access to the devices that the program writes to.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "cli/arguments.hpp"

namespace spillway::cli {

enum class Stream { output = 1, error = 2 };

[[nodiscard]] bool is_terminal(Stream stream);

// Returns width and color of results. Options take precedence, then the properties of a terminal. Other output has no
// color and 100 columns, a limit only for tables that always fit.
[[nodiscard]] reports::Look look_of_output(const Arguments& arguments);

// Returns the text for standard output: with ASCII boxes on a terminal whose locale is not UTF-8. On other devices, and
// in all other formats, it is unchanged.
[[nodiscard]] std::string fitted_to_output(const Arguments& arguments, const std::string& text);

[[nodiscard]] bool colors(Stream stream, ColorChoice choice);

// Opens closed standard streams so that no file takes their number. Writing to a stream that was closed remains an
// error. Precondition: called first.
void prepare_streams();

// Removes the progress bar, if one is shown. Safe in a signal handler.
void take_bar_away() noexcept;

// Disables the progress bar from now on.
void show_no_progress();

// Writes all of the text. Returns the reason of a failure, "No space left on device"; empty on success.
[[nodiscard]] std::string write_all(Stream stream, std::string_view text);

// True once a write to standard output has failed because its reader has exited.
[[nodiscard]] bool reader_has_exited() noexcept;
// Ends the process as SIGPIPE ends other programs: without a message, 141 in a shell.
void end_without_reader() noexcept;

// Writes to standard error; failures are ignored.
void say(std::string_view text);

// A progress line on standard error. On a terminal, it appears one second after its creation and is removed by the
// destructor. On a pipe, a new line appears every ten seconds.
class ProgressBar {
 public:
  explicit ProgressBar(std::string what);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Shows the progress; `done` is from 0 to 1. Cheap: draws at most ten times a second.
  void show(double done, std::string_view note = {});

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  bool terminal_;
  bool quiet_;
  Clock::time_point drawn_;
  Clock::time_point begun_;
};

}  // namespace spillway::cli
