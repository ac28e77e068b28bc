// Work in processes of their own, because SimGrid has one engine a process.
//
//   auto answers = run::fork_map(scenarios.size(), jobs, [&](std::size_t i) { return play_and_serialize(scenarios[i]);
//   });
//
// The answers come in the order of their indices, whatever the number of jobs. A child that crashes, throws or ends by
// itself is a failure with words for it and stops no other. Children inherit what the caller has in memory, share
// nothing afterwards, and die with the caller. Nothing may be waiting in the caller's stdio buffers that a child could
// print again: they are flushed first. Where a child has not enough memory, std::bad_alloc is thrown in the caller;
// std::system_error where the system gives no process or pipe though none of the pool's is running.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace spillway::run {

struct ForkedAnswer {
  bool succeeded = false;
  std::string bytes;     // what the work returned
  bool stopped = false;  // by request (stopping.hpp) before it was done: neither of the others
  std::string failure;  // what went wrong instead: "killed by signal 11 (Segmentation fault)", or the exception's words
};

// What is handed out one by one while it is worked on; nothing is kept of what is finished.
struct ForkedStream {
  // What to work on next; nothing: no more. Asked whenever a process is free.
  std::function<std::optional<std::size_t>()> next;
  std::function<std::string(std::size_t index)> work;  // in the child
  std::function<void(std::size_t index, ForkedAnswer answer)> finished;
  std::function<void()> waits = {};  // called in the caller at least every tenth of a second meanwhile; may be empty
};

// As soon as one is finished the next one begins. A request to stop (stopping.hpp) ends within a tenth of a second
// whatever is being worked on. `jobs` 0 counts as 1. What `next` and `finished` throw goes on to the caller, after the
// children have been ended.
void fork_each(std::size_t jobs, const ForkedStream& stream);

// `jobs` 0 counts as 1. `done` is called in the caller after each answer with their number so far; it may be empty.
[[nodiscard]] std::vector<ForkedAnswer> fork_map(std::size_t count, std::size_t jobs,
                                                 const std::function<std::string(std::size_t index)>& work,
                                                 const std::function<void(std::size_t finished)>& done = {});

}  // namespace spillway::run
