// One scenario played several times with independent draws, and what that says together.
//
//   auto all = run::replicate(scenario, options, {.count = 10, .jobs = 2}, progress);
//   if (all.results) { ... all.results->shares[0].ci95 ... } else { say(all.failure); }
//
// Replication 0 is the run by itself, the others draw from seeds that follow from its seed and their numbers. Counts
// are sums over all of them, shares those of the sums; `ci95` is half the width of a 95 % confidence interval:
// Student's over the replications' shares or Wilson's of independent requests, whichever is wider; 0 where an exact
// share is nothing or all.  An exact share is the mean of the replications', which differ where ejections or checks do.
// Latencies over
// the whole run are those of all their requests together; percentiles of rows are means of the replications', `max` the
// largest. The same bytes for any number of jobs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "sim/run/results.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::run {

struct Options;  // run.hpp

struct Replications {
  std::uint32_t count = 1;
  std::size_t jobs = 1;  // processes at a time; of one replication, for its parts (parts/side_by_side.hpp)
  // Only as many of them as make the intervals of all shares this narrow: half their width, as a part of all requests.
  // The results are those of that many replications, whatever the number of jobs.
  std::optional<double> until_ci95 = {};
  // The widest interval among the rows that are asked for; empty: among all.
  std::function<double(const Results&)> widest = {};
};

struct Replicated {
  std::optional<Results> results;
  std::string failure = {};  // what went wrong instead
  bool stopped = false;      // by request (stopping.hpp): the results are of those that were complete, if any
};

// Half the width of the widest interval of a share; 0 for less than two replications.
[[nodiscard]] double widest_ci95(const Results& results);

// `done` is called after each replication with their number so far; it may be empty.
[[nodiscard]] Replicated replicate(const scenario::Scenario& scenario, const Options& options,
                                   const Replications& replications,
                                   const std::function<void(std::size_t finished)>& done = {});

// What each of them draws from.
[[nodiscard]] std::uint64_t seed_of_replication(std::uint64_t seed, std::uint32_t replication);

// Of the replications' results, all of one scenario.
[[nodiscard]] Results summarise(std::span<const Results> replications);

// Half the width of Student's two-sided 95 % confidence interval of the mean; 0 for fewer than two values.
[[nodiscard]] double half_width_95(std::span<const double> values);

struct Interval {
  double low = 0.0;
  double high = 1.0;
};

// Wilson's 95 % interval of a share of independent requests. 0 to 1 where there are none.
[[nodiscard]] Interval wilson_interval(std::uint64_t missed, std::uint64_t requests);

// Half the width of the interval of a share of which each replication counted a part: Student's of the replications or
// Wilson's of independent requests, whichever is wider. `certain`: no draw moves it, as one that is exactly nothing or
// all.
[[nodiscard]] double half_width_of_counts(std::span<const std::uint64_t> counted, std::span<const std::uint64_t> sent,
                                          bool certain);

// Adds every count of a row to another's; whose row it is stays.
void add(Outcomes& sum, const Outcomes& outcomes);

}  // namespace spillway::run
