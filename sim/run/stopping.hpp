// Stops work in processes (fork_pool.hpp) on request: complete results are kept, the rest is not started.
//
//   run::request_stop();              // from a signal handler
//   if (run::stop_requested()) { ... }
#pragma once

namespace spillway::run {

// Requests a stop, for the life of the process. Async-signal-safe.
void request_stop() noexcept;

[[nodiscard]] bool stop_requested() noexcept;

}  // namespace spillway::run
