// A SimGrid host with cores and a speed, and its clock.
//
//   Machine machine(8, 1.0);
//   machine.advance_to(10s);
//   machine.time_of(5ms);       // the time of 5 ms of work on one of its cores
//
// For work that shares cores in our own calendar (sim/control_plane/shared_cores.hpp), as requests do in mode requests.
// Thousands of pieces are under way at once, and SimGrid's executions would cost that many steps each time one begins
// or ends. A test compares the two. Only one Machine or World per process at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

namespace spillway::world {

class Machine {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  Machine(std::uint32_t cores, double speed);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  [[nodiscard]] Nanoseconds now() const;
  // Advances SimGrid's clock to `time`. Precondition: `time` is not before now().
  void advance_to(Nanoseconds time);

  [[nodiscard]] std::uint32_t cores() const;
  // Returns the time [ns] for work that takes a core of speed 1 `work`; at most 10^9 s.
  [[nodiscard]] Nanoseconds time_of(Nanoseconds work) const;

 private:
  struct Host;
  std::unique_ptr<Host> host_;
};

}  // namespace spillway::world
