// Work in processes (fork_pool.hpp) that is asked to stop: what is complete is kept, the rest is not begun.
//
//   run::request_stop();              // from a signal handler
//   if (run::stop_requested()) { ... }
#pragma once

namespace spillway::run {

// Async-signal-safe. For the life of the process.
void request_stop() noexcept;

[[nodiscard]] bool stop_requested() noexcept;

}  // namespace spillway::run
