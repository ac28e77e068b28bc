#include "models/envoy/priority_load_steps.hpp"

#include <algorithm>

namespace spillway::envoy {

namespace {

constexpr std::uint64_t whole_load = 100;

// Gives each choice its part of the whole, and the remainder to `first_`.
class Distribution {
 public:
  Distribution(LoadSteps& steps, std::uint64_t total, std::size_t priorities) : steps_(steps) {
    steps.total = total;
    steps.load.healthy.resize(priorities);
    steps.load.degraded.resize(priorities);
  }

  void give(PriorityChoice to, std::uint64_t available) {
    const std::uint64_t part = std::min(remaining_, available * whole_load / steps_.total);
    steps_.parts.push_back({to, available, remaining_, part});
    entry(to) = static_cast<std::uint32_t>(part);
    remaining_ -= part;
    if (!found_ && available > 0) {
      first_ = to;
      found_ = true;
    }
  }

  void finish(bool to_priority_0) {
    steps_.left_over = remaining_;
    steps_.left_over_to = to_priority_0 ? PriorityChoice{} : first_;
    entry(steps_.left_over_to) += static_cast<std::uint32_t>(remaining_);
  }

 private:
  std::uint32_t& entry(PriorityChoice of) {
    auto& load = of.availability == Availability::degraded ? steps_.load.degraded : steps_.load.healthy;
    return load[of.priority.value];
  }

  LoadSteps& steps_;
  std::uint64_t remaining_ = whole_load;
  PriorityChoice first_;  // the first with any part; healthy hosts come before degraded ones
  bool found_ = false;
};

PriorityChoice choice_of(std::size_t priority, Availability availability) {
  return {config::Priority{static_cast<std::uint32_t>(priority)}, availability};
}

LoadSteps by_availability(const PriorityState& state, config::EnvoyProfile profile) {
  LoadSteps steps;
  Distribution distribution(steps, normalized_total(state.availability), state.availability.size());
  for (std::size_t priority = 0; priority < state.availability.size(); ++priority) {
    distribution.give(choice_of(priority, Availability::healthy), state.availability[priority].healthy);
  }
  for (std::size_t priority = 0; priority < state.availability.size(); ++priority) {
    distribution.give(choice_of(priority, Availability::degraded), state.availability[priority].degraded);
  }
  distribution.finish(profile == config::EnvoyProfile::seed);
  return steps;
}

LoadSteps by_host_count(std::span<const PriorityCounts> priorities, std::uint64_t hosts) {
  LoadSteps steps;
  steps.rule = LoadSteps::Rule::host_count;
  Distribution distribution(steps, hosts, priorities.size());
  for (std::size_t priority = 0; priority < priorities.size(); ++priority) {
    distribution.give(choice_of(priority, Availability::healthy), priorities[priority].hosts.all);
  }
  distribution.finish(false);
  return steps;
}

}  // namespace

LoadSteps load_steps(const PriorityState& state, std::span<const PriorityCounts> priorities, std::uint64_t threshold,
                     config::EnvoyProfile profile) {
  if (priorities.empty()) {
    return {};
  }
  std::uint64_t hosts = 0;
  for (const PriorityCounts& counts : priorities) {
    hosts += counts.hosts.all;
  }
  if (state.total_panic && hosts > 0) {
    return by_host_count(priorities, hosts);
  }
  if (normalized_total(state.availability) > 0) {
    return by_availability(state, profile);
  }
  LoadSteps steps;
  const bool replaced = profile == config::EnvoyProfile::seed || threshold == 0 || state.total_panic;
  steps.rule = replaced ? LoadSteps::Rule::nobody : LoadSteps::Rule::kept_from_before;
  steps.load = state.load;
  if (replaced) {
    steps.load.healthy.front() = static_cast<std::uint32_t>(whole_load);
  }
  return steps;
}

}  // namespace spillway::envoy
