// One moment of a scenario, held still: what a capacity plan is about.
//
//   Nanoseconds peak = plan::busiest_moment(scenario);
//   Scenario still = plan::at_moment(scenario, peak, 1.5);   // half as many requests again
#pragma once

#include <chrono>
#include <vector>

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::plan {

using Nanoseconds = std::chrono::nanoseconds;

// By client entry: those that are meant.
using Entries = std::vector<bool>;

// When all clients together send most, the first such moment. Recorded arrivals count for the second that begins then.
[[nodiscard]] Nanoseconds busiest_moment(const scenario::Scenario& scenario);
// The same for some of them, of which none has recorded arrivals.
[[nodiscard]] Nanoseconds busiest_moment(const scenario::Scenario& scenario, const Entries& entries);

// Later moments than `first` at which something has just changed and all clients together send as much as at it, none
// of which has recorded arrivals.
[[nodiscard]] std::vector<Nanoseconds> equally_busy(const scenario::Scenario& scenario, Nanoseconds first);

// Requests a second of all clients together at that moment.
[[nodiscard]] double rate_at(const scenario::Scenario& scenario, Nanoseconds at);
[[nodiscard]] double rate_at(const scenario::Scenario& scenario, Nanoseconds at, const Entries& entries);

// The mean over the whole run.
[[nodiscard]] double mean_rate(const scenario::Scenario& scenario);

// Recorded arrivals become random ones at the rate that they have in the second from `at` on, in the way of a peak that
// lasts; of each client of an entry the same.
void spread_recorded_arrivals(scenario::Scenario& scenario, Nanoseconds at);

// Everything that has happened up to and including `at` has happened at the start, runtime values are in force, nothing
// happens afterwards, and clients send `growth` times what they send at that moment, evenly. Clients whose node is out
// are left out, unless all of an entry are; expectations too. `duration` is that of the scenario.
[[nodiscard]] scenario::Scenario at_moment(scenario::Scenario scenario, Nanoseconds at, double growth);

}  // namespace spillway::plan
