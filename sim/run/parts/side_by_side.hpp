// Runs a scenario with independent clients on several cores: its parts (part.hpp) are simulated in parallel, each in a
// process of its own.
//
//   run::SideBySide simulated = run::run_side_by_side(scenario, options, {.jobs = run::sensible_jobs(scenario)});
//   if (simulated.results) { ... }
//
// For every number of jobs the results are bit-identical to those of run(). Not split: scenarios of one component,
// short runs, modes exact and platform, runs with a trace, a sink of events or a proxy to inspect.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/run/results.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::run {

struct Options;  // run.hpp

struct Jobs {
  std::size_t jobs = 1;               // processes at a time
  double least_requests = 300'000.0;  // fewer are not worth several processes
};

struct SideBySide {
  std::optional<Results> results = {};
  std::string failure = {};  // the error if there are no results
  bool stopped = false;      // by request (stopping.hpp), before it was done
};

[[nodiscard]] SideBySide run_side_by_side(const scenario::Scenario& scenario, const Options& options, const Jobs& jobs);

// Returns the number of cores that this process may use, by its affinity and its control group; at least 1.
[[nodiscard]] std::size_t permitted_cores();

// Returns permitted_cores(), or fewer: as many processes as fit into half of the free memory, if each has the whole
// scenario. At least 1.
[[nodiscard]] std::size_t sensible_jobs(const scenario::Scenario& scenario);

// Returns the approximate memory of a run.
[[nodiscard]] std::uint64_t estimated_bytes(const scenario::Scenario& scenario);

}  // namespace spillway::run
