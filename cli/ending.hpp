// How the program ends from outside: an interrupt, a limit of time, a limit of memory.
//
//   watch_signals();                 // first of all
//   apply_limits(arguments);
//   const Completing completing;     // from here on what is complete is printed before the program ends
//   ...
//   if (ending()) { say("3 of 10 scenarios were checked"); }
//
// At an interrupt (SIGINT, SIGTERM, SIGHUP) or when the time is over the program takes away its progress bar and its
// unfinished files and ends at once, whatever it is doing: with 128 and the signal's number, or with 2 and SP942, which
// says how far it got (a SIGALRM that another program sends is a signal like the others). Where a Completing is alive,
// work in processes is stopped instead (sim/run/stopping.hpp) and the caller prints what is complete; a second signal
// ends the program at once. Memory over the limit is a std::bad_alloc, which main() tells as SP941.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace spillway::cli {

struct Arguments;  // arguments.hpp

void watch_signals();

// Of address space: what was asked for, else what the machine or its control group has. No limit under sanitizers.
void apply_limits(const Arguments& arguments);

// The limit in words, such as "2 GB"; empty if there is none.
[[nodiscard]] std::string memory_limit_text();

// Before the first byte of results is written: from here on --limit-time ends nothing, so that results are printed as a
// whole or not at all.
void stop_clock();

// How far the work is, for the message at the limit of time: "simulated 12 s of 100 s". Cheap.
void note_reached(std::string_view text);

// The exit code, once the work is being ended from outside.
[[nodiscard]] std::optional<int> ending();
// Why: "interrupted", "the time of --limit-time is over".
[[nodiscard]] std::string_view ending_text();

class Completing {
 public:
  Completing();
  ~Completing();
  Completing(const Completing&) = delete;
  Completing& operator=(const Completing&) = delete;
};

// A file that is removed when the program ends before it is finished. At most a few at a time; more are not watched.
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

// A process group of a program that was started, which ends with this one.
void watch_group(int group) noexcept;  // 0: none any more

}  // namespace spillway::cli
