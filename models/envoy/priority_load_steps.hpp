// Explains priority loads step by step: the intermediate numbers that priority_load.hpp does not keep.
//
//   const LoadSteps steps = load_steps(state, counts, 50, config::EnvoyProfile::current);
//   steps.parts[1].part;   // min(remaining, available * 100 / total) of priority 1's healthy hosts
//   steps.load;            // what `state` has, but where that is stale
//
// Source: docs/behaviour/envoy-before-pick.md 3, 4; Envoy's load_balancer_impl.cc. Linear in the number of priorities.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/envoy/priority_load.hpp"

namespace spillway::envoy {

struct LoadSteps {
  // min(remaining, available * 100 / total) for one priority's healthy or degraded hosts, or for all its hosts by
  // number.
  struct Part {
    PriorityChoice of = {};
    std::uint64_t available = 0;  // percent; hosts under total panic
    std::uint64_t remaining = 0;  // percent, before this part
    std::uint64_t part = 0;
  };
  std::uint64_t total = 0;  // min(100, the sum of availabilities); hosts of all priorities under total panic

  // The rule that gave the loads.
  enum class Rule : std::uint8_t {
    availability,     // `parts`, healthy hosts of every priority before degraded ones
    host_count,       // total panic: `parts` by numbers of hosts
    nobody,           // nothing is available or exists: priority 0 gets everything
    kept_from_before  // total is 0 and nothing replaces the previous loads
  };
  Rule rule = Rule::availability;
  std::vector<Part> parts = {};

  // The remainder from truncation, and the entry that gets it.
  std::uint64_t left_over = 0;
  PriorityChoice left_over_to = {};

  // The resulting loads. Under the rule `nobody`, loads of other priorities keep their previous values.
  HealthyAndDegradedLoad load = {};
};

// Returns the steps. Precondition: `state` has been updated with these counts and this threshold.
[[nodiscard]] LoadSteps load_steps(const PriorityState& state, std::span<const PriorityCounts> priorities,
                                   std::uint64_t threshold, config::EnvoyProfile profile);

}  // namespace spillway::envoy
