#include <algorithm>

#include "tests/conformance/counts.hpp"

namespace spillway::conformance {

namespace {

json step(const envoy::PriorityState& state) {
  return {{"healthy_load", state.load.healthy}, {"degraded_load", state.load.degraded}, {"panic", state.panic}};
}

// Loads and panic after each callback.
void replay_loads_incremental(const json& input, Check& check) {
  const auto profile = profile_of(input);
  const std::uint64_t threshold = threshold_of(input);
  auto priorities = all_priority_counts(input.at("initial"));
  auto state = envoy::initial_priority_state(priorities, threshold, profile);
  json steps = json::array({step(state)});
  for (const json& update : input.at("updates")) {
    const auto priority = update.at("priority").get<std::size_t>();
    priorities.resize(std::max(priorities.size(), priority + 1));
    priorities[priority] = priority_counts(update.at("to"));
    envoy::update_priority(state, priorities, priority, threshold, profile);
    steps.push_back(step(state));
  }
  check.equal("after_each_step", steps);
}

// Which list of the chosen priority a draw is sent to, in the words of the cases.
std::string pick_source(const json& input, const std::vector<envoy::PriorityCounts>& priorities,
                        const envoy::PriorityState& state) {
  const auto choice = envoy::choose_priority(input.value("draw", std::uint64_t{0}), state.load);
  const auto& hosts = priorities[choice.priority.value].hosts;
  const std::string priority = "_hosts_of_P" + std::to_string(choice.priority.value);
  if (state.panic[choice.priority.value]) {
    return input.value("fail_traffic_on_panic", false) || hosts.all == 0 ? "no_host" : "all" + priority;
  }
  const bool degraded = choice.availability == envoy::Availability::degraded;
  return (degraded ? hosts.degraded : hosts.healthy) == 0 ? "no_host" : text(choice.availability) + priority;
}

void replay_pick_source(const json& input, Check& check) {
  const auto priorities = all_priority_counts(input.at("priorities"));
  const auto state = envoy::initial_priority_state(priorities, threshold_of(input), profile_of(input));
  check_state(state, check);
  const std::string draw = std::to_string(input.value("draw", std::uint64_t{0}));
  check.equal("pick_source_for_draw_" + draw, pick_source(input, priorities, state));
}

}  // namespace

void replay_panic(const json& input, Check& check) {
  const auto op = input.at("op").get<std::string>();
  if (op == "loads") {
    replay_loads(input, check);
  } else if (op == "loads_incremental") {
    replay_loads_incremental(input, check);
  } else if (op == "host_set_in_panic") {
    check.equal("in_panic", envoy::host_set_in_panic(priority_counts(input.at("priority")).hosts, threshold_of(input)));
  } else if (op == "pick_source") {
    replay_pick_source(input, check);
  } else {
    throw std::invalid_argument("unknown op " + op);
  }
}

}  // namespace spillway::conformance
