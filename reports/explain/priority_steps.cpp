#include "reports/explain/priority_steps.hpp"

#include <fmt/format.h>

#include "models/envoy/cluster_state.hpp"
#include "models/envoy/priority_load_steps.hpp"
#include "reports/explain/wording.hpp"

namespace spillway::reports::explain {

namespace {

using config::Priority;
using envoy::Availability;
using envoy::ClusterState;
using envoy::LoadSteps;

Priority priority_at(std::size_t position) {
  return {static_cast<std::uint32_t>(position)};
}

std::string part_name(const PriorityNames& names, envoy::PriorityChoice choice) {
  return names.priority(choice.priority) + (choice.availability == Availability::degraded ? " degraded" : "");
}

// Returns the hosts of one priority that are in no list of available hosts.
std::vector<std::string> unavailable(const ClusterState& state, std::size_t priority, const PriorityNames& names) {
  std::vector<std::string> hosts;
  if (state.aggregate) {
    return hosts;
  }
  for (const config::HostIndex host : state.hosts.host_sets[priority].all.hosts()) {
    if (envoy::coarse_health(state.hosts.hosts[host.value].flags) == envoy::Health::unhealthy) {
      hosts.push_back(names.host(host));
    }
  }
  return hosts;
}

Fact availability_fact(std::string subject, const envoy::PriorityCounts& counts, const envoy::HostCounts& measure,
                       std::uint64_t available, std::uint64_t value) {
  const std::string countable =
      measure.excluded == 0 ? fmt::format("{}", measure.all) : fmt::format("({} - {})", measure.all, measure.excluded);
  return formula(std::move(subject),
                 fmt::format("min(100, trunc({} * {} / {}))", counts.overprovisioning_factor, available, countable),
                 static_cast<double>(value), counts.weights ? "by weights" : "");
}

Fact part_fact(const LoadSteps& steps, const LoadSteps::Part& part, const PriorityNames& names) {
  return formula(part_name(names, part.of),
                 fmt::format("min({}, trunc({} * 100 / {}))", part.remaining, part.available, steps.total),
                 static_cast<double>(part.part));
}

void add_left_over(Step& step, const LoadSteps& steps, const PriorityNames& names) {
  if (steps.left_over == 0) {
    return;
  }
  const auto to = steps.left_over_to;
  const auto& loads = to.availability == Availability::degraded ? steps.load.degraded : steps.load.healthy;
  const std::uint64_t whole = loads[to.priority.value];
  step.facts.push_back(formula(part_name(names, to), fmt::format("{} + {}", whole - steps.left_over, steps.left_over),
                               static_cast<double>(whole), "gets what truncation left over"));
}

std::string panic_words(const ClusterState& state, std::size_t priority, std::uint64_t threshold) {
  if (!state.priorities.panic[priority]) {
    return fmt::format("not below {}", threshold);
  }
  std::string consequence = "panic, all its hosts are used, unhealthy ones too";
  if (state.zone_settings.fail_traffic_on_panic) {
    consequence = "panic, and fail_traffic_on_panic finds no host";
  } else if (state.aggregate) {
    consequence = "panic; its own cluster decides which hosts are used";
  }
  return fmt::format("below {}: {}", threshold, consequence);
}

}  // namespace

Step health_step(const ClusterState& state, const PriorityNames& names) {
  Step step{.name = "health", .sources = {source::envoy("1"), "Envoy upstream_impl.cc"}};
  for (std::size_t priority = 0; priority < state.counts.size(); ++priority) {
    const envoy::HostCounts& hosts = state.counts[priority].hosts;
    std::string note = hosts.all == 0 ? "no hosts" : fmt::format("{} of {} healthy", hosts.healthy, hosts.all);
    note += hosts.degraded > 0 ? fmt::format(", {} degraded", hosts.degraded) : "";
    note += hosts.excluded > 0 ? fmt::format(", {} excluded from what is counted", hosts.excluded) : "";
    if (const auto& weights = state.counts[priority].weights) {
      note += fmt::format(", weights {} of {}", weights->healthy, weights->all);
    }
    const std::vector<std::string> down = unavailable(state, priority, names);
    note += down.empty() ? "" : "; unhealthy: " + some_of(down);
    step.facts.push_back(words(names.priority(priority_at(priority)), std::move(note)));
  }
  return step;
}

Step availability_step(const ClusterState& state, const PriorityNames& names) {
  Step step{.name = "availability", .sources = {source::envoy("2"), source::load_balancer}};
  for (std::size_t priority = 0; priority < state.counts.size(); ++priority) {
    const envoy::PriorityCounts& counts = state.counts[priority];
    const envoy::PriorityAvailability& value = state.priorities.availability[priority];
    const std::string name = names.priority(priority_at(priority));
    const envoy::HostCounts& measure = counts.weights ? *counts.weights : counts.hosts;
    if (counts.hosts.all == counts.hosts.excluded || measure.all == measure.excluded) {
      step.facts.push_back(words(name, "0, no host counts"));
      continue;
    }
    step.facts.push_back(availability_fact(name, counts, measure, measure.healthy, value.healthy));
    if (measure.degraded > 0) {
      step.facts.push_back(availability_fact(name + " degraded", counts, measure, measure.degraded, value.degraded));
    }
  }
  return step;
}

Step load_step(const ClusterState& state, const PriorityNames& names, std::uint64_t threshold) {
  Step step{.name = "load", .sources = {source::envoy("3"), source::load_balancer}};
  const LoadSteps steps = envoy::load_steps(state.priorities, state.counts, threshold, state.profile);
  if (steps.rule == LoadSteps::Rule::nobody) {
    step.facts.push_back(words("", fmt::format("no priority is available: {} gets everything", names.priority({0}))));
    return step;
  }
  if (steps.rule == LoadSteps::Rule::kept_from_before) {
    step.facts.push_back(words("", "availability is 0 everywhere: the loads are those from before"));
    for (std::size_t priority = 0; priority < state.counts.size(); ++priority) {
      step.facts.push_back(
          words(names.priority(priority_at(priority)), fmt::format("{}", state.priorities.load.healthy[priority])));
    }
    return step;
  }
  if (steps.rule == LoadSteps::Rule::host_count) {
    step.sources = {source::envoy("4"), source::load_balancer};
    step.facts.push_back(words("", fmt::format("every priority panics: by numbers of hosts, {} in all", steps.total)));
  } else {
    std::string sum;
    for (const envoy::PriorityAvailability& availability : state.priorities.availability) {
      sum += (sum.empty() ? "" : " + ") + std::to_string(availability.healthy);
      sum += availability.degraded > 0 ? " + " + std::to_string(availability.degraded) : "";
    }
    step.facts.push_back(formula("total", fmt::format("min(100, {})", sum), static_cast<double>(steps.total)));
  }
  for (const LoadSteps::Part& part : steps.parts) {
    if (part.of.availability == Availability::healthy || part.available > 0) {
      step.facts.push_back(part_fact(steps, part, names));
    }
  }
  add_left_over(step, steps, names);
  return step;
}

Step panic_step(const ClusterState& state, const PriorityNames& names, std::uint64_t threshold) {
  Step step{.name = "panic", .sources = {source::envoy("4"), source::load_balancer}};
  const bool seed = state.profile == config::EnvoyProfile::seed;
  if (threshold == 0) {
    step.facts.push_back(words("", "switched off: the threshold is 0"));
    return step;
  }
  if (!seed && state.priorities.normalized_total_availability == 100) {
    step.facts.push_back(words("", fmt::format("not tested: availability adds up to 100 (threshold {} %)", threshold)));
    return step;
  }
  for (std::size_t priority = 0; priority < state.counts.size(); ++priority) {
    const envoy::HostCounts& hosts = state.counts[priority].hosts;
    const std::string name = names.priority(priority_at(priority));
    const std::uint64_t countable = hosts.all - hosts.excluded;
    if (countable == 0) {
      step.facts.push_back(words(name, "no host counts, 0 is " + panic_words(state, priority, threshold)));
      continue;
    }
    const auto available = 100.0 * static_cast<double>(hosts.healthy) / static_cast<double>(countable) +
                           100.0 * static_cast<double>(hosts.degraded) / static_cast<double>(countable);
    std::string text = fmt::format("100 * {} / {}", hosts.healthy, countable);
    text += hosts.degraded > 0 ? fmt::format(" + 100 * {} / {}", hosts.degraded, countable) : "";
    step.facts.push_back(formula(name, text, available, panic_words(state, priority, threshold)));
  }
  return step;
}

}  // namespace spillway::reports::explain
