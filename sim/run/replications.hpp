// Several simulations of one scenario with independent seeds, and their combined results.
//
//   auto all = run::replicate(scenario, options, {.count = 10, .jobs = 2}, progress);
//   if (all.results) { ... all.results->shares[0].ci95 ... } else { say(all.failure); }
//
// Replication 0 is the single run; the others use seeds derived from its seed and their numbers. Counts are sums over
// all replications, shares those of the sums. `ci95` is half the width of a 95 % confidence interval: Student's over
// the replications' shares or Wilson's of independent requests, whichever is wider. It is 0 if an exact share is 0 or
// 1. An exact share is the mean of the replications', which differ if ejections or checks do. Latencies over the whole
// run are those of all their requests; percentiles of rows are means of the replications', `max` is the largest.
// The results have the same bytes for any number of jobs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "sim/run/results.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::run {

struct Options;  // run.hpp

struct Replications {
  std::uint32_t count = 1;
  std::size_t jobs = 1;  // processes at a time; of one replication, for its parts (parts/side_by_side.hpp)
  // Stops at the first number of replications that makes the intervals of all shares this narrow: half their width, as
  // a part of all requests. The results are those of that many replications, whatever the number of jobs.
  std::optional<double> until_ci95 = {};
  // Returns the widest interval among the relevant rows; if empty, all rows are relevant.
  std::function<double(const Results&)> widest = {};
};

struct Replicated {
  std::optional<Results> results;
  std::string failure = {};  // the error if there are no results
  bool stopped = false;      // by request (stopping.hpp): the results cover the complete replications, if any
};

// Returns half the width of the widest interval of a share; 0 for fewer than two replications.
[[nodiscard]] double widest_ci95(const Results& results);

// `done` is called after each replication with the number of finished ones; it may be empty.
[[nodiscard]] Replicated replicate(const scenario::Scenario& scenario, const Options& options,
                                   const Replications& replications,
                                   const std::function<void(std::size_t finished)>& done = {});

// Returns the seed of a replication.
[[nodiscard]] std::uint64_t seed_of_replication(std::uint64_t seed, std::uint32_t replication);

// Combines the replications' results, all of one scenario.
[[nodiscard]] Results summarise(std::span<const Results> replications);

// Returns half the width of Student's two-sided 95 % confidence interval of the mean; 0 for fewer than two values.
[[nodiscard]] double half_width_95(std::span<const double> values);

struct Interval {
  double low = 0.0;
  double high = 1.0;
};

// Returns Wilson's 95 % interval of a share of independent requests; [0, 1] if there are none.
[[nodiscard]] Interval wilson_interval(std::uint64_t missed, std::uint64_t requests);

// Returns half the width of the interval of a share counted in replications: Student's of the replications or Wilson's
// of independent requests, whichever is wider. `certain`: no seed changes the share, as if it is exactly 0 or 1.
[[nodiscard]] double half_width_of_counts(std::span<const std::uint64_t> counted, std::span<const std::uint64_t> sent,
                                          bool certain);

// Adds every count of a row to another row, which keeps its identity.
void add(Outcomes& sum, const Outcomes& outcomes);

}  // namespace spillway::run
