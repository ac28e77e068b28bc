// What the program knows of the devices that it writes to.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "cli/arguments.hpp"

namespace spillway::cli {

enum class Stream { output = 1, error = 2 };

[[nodiscard]] bool is_terminal(Stream stream);

// Width and color of results: those asked for, else what standard output is: its width on a terminal, 100 columns,
// which bind only tables that always fit, and no color anywhere else.
[[nodiscard]] reports::Look look_of_output(const Arguments& arguments);

// Results as standard output shows them: without Unicode's boxes on a terminal whose locale has no UTF-8. Everywhere
// else, and in all other formats, as they are.
[[nodiscard]] std::string fitted_to_output(const Arguments& arguments, const std::string& text);

[[nodiscard]] bool colors(Stream stream, ColorChoice choice);

// A closed standard stream would be reopened by the next file that is read. Writing to one that was closed stays an
// error. To be called first.
void prepare_streams();

// From a signal handler: the progress bar, if one is shown.
void take_bar_away() noexcept;

// From here on.
void show_no_progress();

// All of it, or the reason why not: "No space left on device".
[[nodiscard]] std::string write_all(Stream stream, std::string_view text);

// True once a write to standard output has failed because its reader has exited.
[[nodiscard]] bool reader_has_exited() noexcept;
// Ends the process as SIGPIPE ends other programs: without a message, 141 in a shell.
void end_without_reader() noexcept;

// To standard error; nobody could be told of a failure.
void say(std::string_view text);

// A line on standard error that grows while work is done, from a second after it began and on a terminal only. Gone
// when the object is.
class ProgressBar {
 public:
  explicit ProgressBar(std::string what);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // `done` from 0 to 1. Cheap: draws at most ten times a second.
  void show(double done, std::string_view note = {});

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  bool terminal_;
  Clock::time_point drawn_;
  Clock::time_point begun_;
};

}  // namespace spillway::cli
