// A run whose clients have not all to do with each other, on several cores: parts (part.hpp) are simulated side by
// side, each in a process of its own.
//
//   run::SideBySide played = run::run_side_by_side(scenario, options, {.jobs = run::sensible_jobs(scenario)});
//   if (played.results) { ... }
//
// The results are those of run(), to the last bit, for every number of jobs. Simulated as one are: scenarios that are
// one component, short runs, modes exact and platform, and runs of which something is told as it happens (a trace, a
// sink of happenings) or looked at (a proxy at a moment).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/run/results.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::run {

struct Options;  // run.hpp

struct Jobs {
  std::size_t jobs = 1;               // processes at a time
  double least_requests = 300'000.0;  // fewer are not worth several processes
};

struct SideBySide {
  std::optional<Results> results = {};
  std::string failure = {};  // what went wrong instead
  bool stopped = false;      // by request (stopping.hpp), before it was done
};

[[nodiscard]] SideBySide run_side_by_side(const scenario::Scenario& scenario, const Options& options, const Jobs& jobs);

// The cores that this process may use, by its affinity and its control group; at least 1.
[[nodiscard]] std::size_t permitted_cores();

// As many as permitted_cores(), but no more than have room for the scenario, each of them for all of it, in half of the
// memory that is free. At least 1.
[[nodiscard]] std::size_t sensible_jobs(const scenario::Scenario& scenario);

// What a run takes, about.
[[nodiscard]] std::uint64_t estimated_bytes(const scenario::Scenario& scenario);

}  // namespace spillway::run
