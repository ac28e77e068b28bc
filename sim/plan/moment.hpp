// One moment of a scenario, held still: what a capacity plan is about.
//
//   Nanoseconds peak = plan::busiest_moment(scenario);
//   Scenario still = plan::at_moment(scenario, peak, 1.5);   // half as many requests again
#pragma once

#include <chrono>

#include "sim/scenario/scenario.hpp"

namespace spillway::plan {

using Nanoseconds = std::chrono::nanoseconds;

// When all clients together send most, the first such moment. Recorded arrivals count for the second that begins then.
[[nodiscard]] Nanoseconds busiest_moment(const scenario::Scenario& scenario);

// Requests a second of all clients together at that moment.
[[nodiscard]] double rate_at(const scenario::Scenario& scenario, Nanoseconds at);

// Recorded arrivals become random ones at the rate that they have in the second from `at` on, in the way of a peak that
// lasts; of each client of an entry the same.
void spread_recorded_arrivals(scenario::Scenario& scenario, Nanoseconds at);

// Everything that has happened up to and including `at` has happened at the start, runtime values are in force, nothing
// happens afterwards, and clients send `growth` times what they send at that moment, evenly. Clients whose node is out
// are left out, unless all of an entry are; expectations too. `duration` is that of the scenario.
[[nodiscard]] scenario::Scenario at_moment(scenario::Scenario scenario, Nanoseconds at, double growth);

}  // namespace spillway::plan
