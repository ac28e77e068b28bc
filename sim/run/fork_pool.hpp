// Work in child processes, because SimGrid allows one engine per process.
//
//   const auto work = [&](std::size_t index) { return simulate_to_bytes(scenarios[index]); };
//   std::vector<run::ForkedAnswer> answers = run::fork_map(scenarios.size(), jobs, work);
//
// Results come in the order of their indices, whatever the number of jobs. A child that crashes, throws or exits is a
// failure with a message; it stops no other child. Children inherit the caller's memory, share nothing afterwards, and
// die with the caller. stdio buffers are flushed first, so that no child prints the caller's output again. Throws
// std::bad_alloc in the caller if a child has not enough memory. Throws std::system_error if the system gives no
// process or pipe although no process of the pool is running.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace spillway::run {

struct ForkedAnswer {
  bool succeeded = false;
  std::string bytes;     // return value of the work
  bool stopped = false;  // by request (stopping.hpp) before it was done; `bytes` and `failure` are then empty
  std::string failure;   // the error: "killed by signal 11 (Segmentation fault)", or the exception's message
};

// Work that is generated while it is processed; nothing is kept of finished work.
struct ForkedStream {
  // Returns the index of the next work; nullopt if there is no more. Called whenever a process is free.
  std::function<std::optional<std::size_t>()> next;
  std::function<std::string(std::size_t index)> work;  // in the child
  std::function<void(std::size_t index, ForkedAnswer answer)> finished;
  std::function<void()> waits = {};  // called in the caller at least every tenth of a second; may be empty
                                     // empty
};

// Runs the work; as soon as one item is finished the next one begins. A request to stop (stopping.hpp) ends all work
// within a tenth of a second. `jobs` 0 counts as 1. Rethrows what `next` and `finished` throw after the children have
// been ended.
void fork_each(std::size_t jobs, const ForkedStream& stream);

// Runs `work` for each index. `jobs` 0 counts as 1. `done` is called in the caller after each result with the number of
// finished ones; it may be empty.
[[nodiscard]] std::vector<ForkedAnswer> fork_map(std::size_t count, std::size_t jobs,
                                                 const std::function<std::string(std::size_t index)>& work,
                                                 const std::function<void(std::size_t finished)>& done = {});

}  // namespace spillway::run
