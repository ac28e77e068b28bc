// Bounds how long a request stays at a queue, except with negligible probability: an upper bound from rates, service
// times and cores, without a simulation.
//
//   Work work;
//   work.add(40.0, service_bound(20ms, nullptr, surprise));    // 40 requests a second of 20 ms each
//   longest_stay({.open = work, .servers = {.cores = 1}, .horizon = 60.0, .surprise = surprise});
//
// Requests arrive as a Poisson process at most at these rates, in any mixture of service times. A service time is
// bounded by `longest`, which it exceeds only with negligible probability. Its exponential moments are then at most
// those of Bennett's inequality. With c cores the waiting work is at most that of one core of c times the speed, plus
// (c - 1) of the longest requests. Source: Kingman 1970 (exponential bounds of queues); Doob's inequality for arriving
// work minus the work that can be done.
#pragma once

#include <chrono>
#include <cstdint>

#include "sim/scenario/serving.hpp"

namespace spillway::run {

// Bounds of one service time [s].
struct ServiceBound {
  double mean = 0.0;
  double square = 0.0;   // mean of the square
  double longest = 0.0;  // exceeded with probability e^-surprise at most

  [[nodiscard]] ServiceBound slowed(double slowness) const noexcept {
    return {mean * slowness, square * slowness * slowness, longest * slowness};
  }
};

// Returns the bounds of a service time. `variation`: null if every request takes the same time.
[[nodiscard]] ServiceBound service_bound(std::chrono::nanoseconds mean, const scenario::ServiceVariation* variation,
                                         double surprise);

// The work that arrives at a queue.
struct Work {
  double rate = 0.0;     // requests per second
  double busy = 0.0;     // cores that they keep busy
  double square = 0.0;   // [s], sum of rate times the mean square of service times
  double longest = 0.0;  // [s]

  void add(double requests_a_second, const ServiceBound& service) noexcept;
  // Raises each value to that of `other`, if that is larger.
  void raise_to(const Work& other) noexcept;
};

struct Queue {
  Work open = {};
  // Users who wait for responses: at most `population` requests at once. Also part of `open` if that is not empty.
  double population = 0.0;
  double longest_of_population = 0.0;  // [s]
  scenario::Servers servers = {};
  double horizon = 0.0;   // [s] that the queue exists
  double surprise = 0.0;  // -ln of the negligible probability
};

// Returns the bound [s] from the arrival to the end of service; infinity if there is none. O(1).
[[nodiscard]] double longest_stay(const Queue& queue) noexcept;

// True if more than `line` requests may wait at once, if none stays for longer than `stay`.
[[nodiscard]] bool may_exceed(const Queue& queue, double stay, std::uint32_t line) noexcept;

}  // namespace spillway::run
