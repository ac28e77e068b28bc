#include <numeric>
#include <string>

#include "tests/conformance/counts.hpp"

namespace spillway::conformance {

namespace {

using envoy::PriorityCounts;
using envoy::PriorityState;

std::uint32_t sum(const std::vector<std::uint32_t>& loads) {
  return std::accumulate(loads.begin(), loads.end(), std::uint32_t{0});
}

// What a document prints, and whether Envoy computes that.
void check_printed(const json& input, const PriorityState& state, Check& check) {
  for (const char* const field :
       {"printed_load", "printed_panic", "printed_normalized_total_health", "printed_healthy_degraded",
        "rules_that_reproduce_printed", "observed_by_priority_percent"}) {
    check.documentation(field);
  }
  const auto agrees = [&](const char* printed, const json& computed) {
    return [&check, printed, computed] { return json(check.expected().at(printed) == computed); };
  };
  check.equal_if_expected("printed_equals_current_default", agrees("printed_load", state.load.healthy));
  check.equal_if_expected("printed_equals_current", agrees("printed_load", state.load.healthy));
  check.equal_if_expected("printed_equals_legacy", agrees("printed_load", state.load.healthy));
  check.equal_if_expected("printed_panic_equals_current", agrees("printed_panic", state.panic));
  check.equal_if_expected("printed_total_equals_current",
                          agrees("printed_normalized_total_health", state.normalized_total_availability));
  check.equal_if_expected("load_matches_printed",
                          agrees("printed_healthy_degraded", {sum(state.load.healthy), sum(state.load.degraded)}));
  check.equal_if_expected("comment_total_availability_P0", [&] {
    const auto first = envoy::availability(priority_counts(input.at("priorities").front()));
    return json(first.healthy + first.degraded);
  });
}

// Where draws of this state end up, in the words of the cases.
void check_pools(const std::vector<PriorityCounts>& priorities, const PriorityState& state, Check& check) {
  check.equal_if_expected("host_pool", [&] {
    return state.panic.front() ? json("all " + std::to_string(priorities.front().hosts.all) + " hosts (panic)")
                               : json("healthy pool / degraded pool as loaded");
  });
  check.equal_if_expected("pick_result", [&] {
    for (std::uint64_t draw = 0; draw < 100; ++draw) {
      const auto choice = envoy::choose_priority(draw, state.load);
      const envoy::HostCounts& hosts = priorities[choice.priority.value].hosts;
      const bool degraded = choice.availability == envoy::Availability::degraded;
      const std::uint64_t pool = state.panic[choice.priority.value] ? hosts.all
                                 : degraded                         ? hosts.degraded
                                                                    : hosts.healthy;
      if (pool > 0) {
        return json("host");
      }
    }
    return json("no_host");
  });
}

}  // namespace

void check_state(const PriorityState& state, Check& check) {
  std::vector<std::uint64_t> healthy;
  std::vector<std::uint64_t> degraded;
  for (const auto& availability : state.availability) {
    healthy.push_back(availability.healthy);
    degraded.push_back(availability.degraded);
  }
  check.equal("availability_healthy", healthy);
  check.equal("availability_degraded", degraded);
  check.equal("normalized_total_availability", state.normalized_total_availability);
  check.equal("healthy_load", state.load.healthy);
  check.equal("degraded_load", state.load.degraded);
  check.equal("panic", state.panic);
  check.equal("panic_when_picked", state.panic);
  check.equal("total_panic", state.total_panic);
}

void replay_loads(const json& input, Check& check) {
  const auto priorities = all_priority_counts(input.at("priorities"));
  const auto profile = profile_of(input);
  const PriorityState state = envoy::initial_priority_state(priorities, threshold_of(input), profile);
  check_state(state, check);
  check.equal_if_expected("healthy_load_if_panic_threshold_0",
                          [&] { return json(envoy::initial_priority_state(priorities, 0, profile).load.healthy); });
  check_printed(input, state, check);
  check_pools(priorities, state, check);
}

}  // namespace spillway::conformance
