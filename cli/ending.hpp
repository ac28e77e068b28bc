// Handles termination from outside: an interrupt, a limit of time, a limit of memory.
//
//   watch_signals();                 // first of all
//   apply_limits(arguments);
//   const Completing completing;     // from here on what is complete is printed before the program ends
//   ...
//   if (ending()) { say("3 of 10 scenarios were checked"); }
//
// At an interrupt (SIGINT, SIGTERM, SIGHUP) or at the limit of time the program removes its progress bar and its
// unfinished files and ends at once. The exit code is 128 and the signal's number, or 2 with SP942, which reports the
// progress. A SIGALRM from another program is an ordinary signal.
// While a Completing exists, work in processes is stopped instead (sim/run/stopping.hpp) and the caller prints the
// complete results (then the exit code of the limit of time is 1, since the rest is undecided); a second signal ends
// the program at once. Exceeding the limit of memory throws std::bad_alloc, which main() reports as SP941.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace spillway::cli {

struct Arguments;  // arguments.hpp

void watch_signals();

// Limits the address space: to the option's value, otherwise to the memory of the machine or its control group. No
// limit under sanitizers.
void apply_limits(const Arguments& arguments);

// Returns the limit in words, "2 GB"; empty if there is none.
[[nodiscard]] std::string memory_limit_text();

// Disables --limit-time, so that results are printed as a whole or not at all. Call it before the first byte of results
// is written.
void stop_clock();

// Records the progress for the message at the limit of time: "simulated 12 s of 100 s". Cheap.
void note_reached(std::string_view text);

// Returns the exit code if the work is being ended from outside, otherwise nullopt.
[[nodiscard]] std::optional<int> ending();
// True if the cause is --limit-time.
[[nodiscard]] bool out_of_time();
// Returns the cause: "interrupted", "the time of --limit-time is over".
[[nodiscard]] std::string_view ending_text();

class Completing {
 public:
  Completing();
  ~Completing();
  Completing(const Completing&) = delete;
  Completing& operator=(const Completing&) = delete;
};

// A file that is removed if the program ends before the file is complete. Only a few files at a time are watched; more
// are not.
class UnfinishedFile {
 public:
  UnfinishedFile() = default;
  explicit UnfinishedFile(const std::string& path);
  ~UnfinishedFile() { release(); }
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  void watch(const std::string& path);
  void release() noexcept;

 private:
  int slot_ = -1;
};

// Ends the process group of a child program together with this one.
void watch_group(int group) noexcept;  // 0 stops watching

}  // namespace spillway::cli
