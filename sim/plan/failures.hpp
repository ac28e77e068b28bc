// The failures that a plan simulates, one by one: the expansion of a scenario's `failures`.
//
//   auto failures = plan::failures_of(scenario);
//   failures.all[0].name;    // "nothing"
//   failures.all[1].name;    // "zone-1 endpoints"
//
// Endpoints are alike if their location, priority, weight, cores, service time, tags and metadata are equal and no hash
// picks among them. Of the combinations that lose alike endpoints, only one is simulated and represents all.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/scenario/planning.hpp"

namespace spillway::plan {

struct Failure {
  std::string name;                                   // unique within the scenario
  std::vector<config::EndpointIndex> endpoints = {};  // lost or degraded endpoints; ascending
  bool degraded = false;
  double slowness = 1.0;  // above 1: they take so many times as long
  double fails = 0.0;     // above 0: they fail this fraction of their requests
  scenario::LossReported reported = scenario::LossReported::unhealthy;
  std::vector<config::NodeIndex> silent = {};  // nodes whose clients stop sending
  std::uint64_t ways = 1;                      // number of equivalent combinations, including this one

  // True if the endpoints go on answering, and nobody is told that something is wrong with them.
  [[nodiscard]] bool is_gray() const noexcept { return slowness != 1.0 || fails > 0.0; }
};

// True if the endpoint does not answer any more. Degraded, slow and failing endpoints answer.
[[nodiscard]] bool is_lost(const Failure& failure, config::EndpointIndex endpoint);

struct Failures {
  // The baseline without a failure comes first, the others follow in the order of the file.
  std::vector<Failure> all;
  Diagnostics problems;  // located: failures without effect (SP701), too many combinations (SP702)
};

// Returns the scenario's `failures`. By default, the endpoints of each zone and of each node fail. Where there are
// clients, they fail a second time, together with the clients.
[[nodiscard]] Failures failures_of(const scenario::Scenario& scenario);

// Returns the changes at `at`: the single definition of a failure, for plans and differences. Lost endpoints do not
// answer, as in a run with an outage of these endpoints. A request sent there by panic, a session, an override host or
// a stale state is refused. Degraded endpoints still answer, and so do slow and failing ones, of which nobody is told.
// `reported` selects only what EDS reports. Lost clients send nothing from then on.
[[nodiscard]] std::vector<scenario::Change> changes_of(const scenario::Scenario& scenario, const Failure& failure,
                                                       std::chrono::nanoseconds at);

}  // namespace spillway::plan
