// The failures that a plan plays, one by one: what a scenario's `failures` stand for.
//
//   auto failures = plan::failures_of(scenario);
//   failures.all[0].name;    // "nothing"
//   failures.all[1].name;    // "zone-1 endpoints"
//
// Endpoints that nothing tells apart (their place, priority, weight, cores, service time, tags and metadata are the
// same, and no hash picks among them) are alike: of the ways to lose some of them only one is played, which stands for
// all.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "sim/scenario/planning.hpp"

namespace spillway::scenario {
struct Change;    // change.hpp
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::plan {

struct Failure {
  std::string name;                                   // of no other failure of the scenario
  std::vector<config::EndpointIndex> endpoints = {};  // that are lost, or degraded; ascending
  bool degraded = false;
  scenario::LossReported reported = scenario::LossReported::unhealthy;
  std::vector<config::NodeIndex> silent = {};  // nodes whose clients send no more
  std::uint64_t ways = 1;                      // that are like this one, itself among them
};

// Whether it does not answer any more; what is degraded does.
[[nodiscard]] bool is_lost(const Failure& failure, config::EndpointIndex endpoint);

struct Failures {
  // First that nothing fails; then in the order of the file.
  std::vector<Failure> all;
  Diagnostics problems;  // located: failures of nothing (SP701), too many ways (SP702)
};

// `failures` of the scenario; where there are none, the endpoints of each zone and of each node, with its clients going
// on, and lost with them where there are clients.
[[nodiscard]] Failures failures_of(const scenario::Scenario& scenario);

// What happens at that moment: the one place that says what a failure is, for plans and differences. What is lost does
// not answer: a request that panic, a session, an override host or a stale state sends there is refused, as in a run
// with an outage of these endpoints. What is degraded still answers. `told` says only what proxies are told of it.
// Clients that are lost send nothing from then on.
[[nodiscard]] std::vector<scenario::Change> changes_of(const scenario::Scenario& scenario, const Failure& failure,
                                                       std::chrono::nanoseconds at);

}  // namespace spillway::plan
