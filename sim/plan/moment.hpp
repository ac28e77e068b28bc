// One time of a scenario, held still: the subject of a capacity plan.
//
//   Nanoseconds peak = plan::busiest_moment(scenario);
//   Scenario still = plan::at_moment(scenario, peak, 1.5);   // half as many requests again
#pragma once

#include <chrono>
#include <vector>

#include "sim/scenario/forward.hpp"

namespace spillway::plan {

using Nanoseconds = std::chrono::nanoseconds;

// By client entry: true for the selected entries.
using Entries = std::vector<bool>;

// Returns the first time at which all clients together send most. Recorded arrivals count for the second that begins
// then.
[[nodiscard]] Nanoseconds busiest_moment(const scenario::Scenario& scenario);
// Like busiest_moment(scenario), but for the selected entries. Precondition: none of them has recorded arrivals.
[[nodiscard]] Nanoseconds busiest_moment(const scenario::Scenario& scenario, const Entries& entries);

// Returns times after `first` at which something has just changed and all clients together send as much as at `first`.
// Precondition: no client has recorded arrivals.
[[nodiscard]] std::vector<Nanoseconds> equally_busy(const scenario::Scenario& scenario, Nanoseconds first);

// Returns the rate [requests/s] of all clients together at `at`.
[[nodiscard]] double rate_at(const scenario::Scenario& scenario, Nanoseconds at);
[[nodiscard]] double rate_at(const scenario::Scenario& scenario, Nanoseconds at, const Entries& entries);

// Returns the mean rate [requests/s] over the whole run.
[[nodiscard]] double mean_rate(const scenario::Scenario& scenario);
// Like mean_rate(scenario), but of the selected entries.
[[nodiscard]] double mean_rate(const scenario::Scenario& scenario, const Entries& entries);

// Returns the most requests/s that one user of the entry sends: one in the think time and the shortest mean service
// time of the endpoints. Infinite if both are 0; 1 if the entry has no users, so that it is a factor of any entry's
// rate.
[[nodiscard]] double most_rate_of_user(const scenario::Scenario& scenario, const scenario::ClientEntry& entry);

// Replaces users, who wait for responses, with random arrivals at the most that they send: the load that they put on
// endpoints is lower, and so are the waits.
void open_loops(scenario::Scenario& scenario);

// Returns the variance of the numbers of recorded arrivals in the hundredths of the second from `at` on, divided by
// their mean: 1 for random arrivals, more if they come in bursts. Precondition: the workload has a trace.
[[nodiscard]] double burstiness(const scenario::Workload& workload, Nanoseconds at);

// Replaces recorded arrivals with random ones at their rate in the second from `at` on, like a peak that lasts. All
// clients of an entry get the same rate.
void spread_recorded_arrivals(scenario::Scenario& scenario, Nanoseconds at);

// Sets the numbers of users to the entries' rates, rounded up: at_moment() multiplies only these.
void scale_users(scenario::Scenario& scenario);

// Applies all changes up to and including `at` at the start, with runtime values, and removes later changes. Clients
// send evenly at `growth` times their rate at `at`. Clients on nodes that are down are removed, unless all of an entry
// are. Expectations are removed. `duration` is kept.
[[nodiscard]] scenario::Scenario at_moment(scenario::Scenario scenario, Nanoseconds at, double growth);

}  // namespace spillway::plan
