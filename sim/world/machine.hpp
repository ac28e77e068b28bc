// A host of SimGrid's with cores and a speed, and the clock that goes with it.
//
//   Machine machine(8, 1.0);
//   machine.advance_to(10s);
//   machine.time_of(5ms);       // what so much work takes on one of its cores
//
// For work that shares cores in a calendar of our own (sim/control_plane/shared_cores.hpp), as requests do in mode
// requests: thousands of pieces are under way at once, and SimGrid's executions would cost that many steps each time
// one begins or ends. A test holds both against each other. One Machine or World at a time in a process.
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
  // Lets SimGrid's clock reach `time`, which is not before now().
  void advance_to(Nanoseconds time);

  [[nodiscard]] std::uint32_t cores() const;
  // Of what a core of speed 1 takes `work` for, to the nanosecond; at most 10^9 s.
  [[nodiscard]] Nanoseconds time_of(Nanoseconds work) const;

 private:
  struct Host;
  std::unique_ptr<Host> host_;
};

}  // namespace spillway::world
