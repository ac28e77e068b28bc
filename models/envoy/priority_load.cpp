#include "models/envoy/priority_load.hpp"

#include <algorithm>

#include "models/envoy/percent_to_integer.hpp"

namespace spillway::envoy {

namespace {

constexpr std::uint64_t full = 100;  // percent

// Gives each entry of `shares`, in order, its truncated percentage of `total` until `remaining` is used up.
template <class Share>
void distribute(std::span<const PriorityAvailability> shares, Share share, std::uint64_t total,
                std::uint64_t& remaining, std::vector<std::uint32_t>& load) {
  for (std::size_t priority = 0; priority < shares.size(); ++priority) {
    const std::uint64_t part = std::min(remaining, share(shares[priority]) * full / total);
    load[priority] = static_cast<std::uint32_t>(part);
    remaining -= part;
  }
}

template <class Share>
std::optional<std::size_t> first_available(std::span<const PriorityAvailability> shares, Share share) {
  for (std::size_t priority = 0; priority < shares.size(); ++priority) {
    if (share(shares[priority]) > 0) {
      return priority;
    }
  }
  return std::nullopt;
}

std::uint64_t healthy_part(const PriorityAvailability& availability) {
  return availability.healthy;
}
std::uint64_t degraded_part(const PriorityAvailability& availability) {
  return availability.degraded;
}

// Returns the entry that gets the remainder from truncation: the first healthy priority, else the first degraded one.
// In the seed profile it is priority 0, whatever its health.
std::uint32_t& remainder_entry(PriorityState& state, config::EnvoyProfile profile) {
  if (profile == config::EnvoyProfile::seed) {
    return state.load.healthy.front();
  }
  if (const auto healthy = first_available(state.availability, healthy_part)) {
    return state.load.healthy[*healthy];
  }
  return state.load.degraded[*first_available(state.availability, degraded_part)];
}

void recompute_loads(PriorityState& state, config::EnvoyProfile profile) {
  state.normalized_total_availability = normalized_total(state.availability);
  if (state.normalized_total_availability == 0) {
    if (profile == config::EnvoyProfile::seed) {
      state.load.healthy.front() = static_cast<std::uint32_t>(full);
    }
    return;
  }
  std::uint64_t remaining = full;
  const std::uint64_t total = state.normalized_total_availability;
  distribute(state.availability, healthy_part, total, remaining, state.load.healthy);
  distribute(state.availability, degraded_part, total, remaining, state.load.degraded);
  if (remaining > 0) {
    remainder_entry(state, profile) += static_cast<std::uint32_t>(remaining);
  }
}

// Computes the loads when every priority panics: by the number of hosts, including dead and excluded ones.
void load_by_host_count(PriorityState& state, std::span<const PriorityCounts> priorities) {
  std::uint64_t hosts = 0;
  for (const PriorityCounts& counts : priorities) {
    hosts += counts.hosts.all;
  }
  if (hosts == 0) {
    state.load.healthy.front() = static_cast<std::uint32_t>(full);
    return;
  }
  std::uint64_t remaining = full;
  std::optional<std::size_t> first;
  for (std::size_t priority = 0; priority < priorities.size(); ++priority) {
    const std::uint64_t all = priorities[priority].hosts.all;
    const std::uint64_t part = full * all / hosts;
    state.load.healthy[priority] = static_cast<std::uint32_t>(part);
    state.load.degraded[priority] = 0;
    remaining -= part;
    if (!first && all > 0) {
      first = priority;
    }
  }
  state.load.healthy[*first] += static_cast<std::uint32_t>(remaining);
}

void recompute_panic(PriorityState& state, std::span<const PriorityCounts> priorities, std::uint64_t threshold,
                     config::EnvoyProfile profile) {
  state.total_panic = false;
  if (profile == config::EnvoyProfile::seed) {
    // Evaluated at each pick for the chosen priority only, whatever the total.
    for (std::size_t priority = 0; priority < priorities.size(); ++priority) {
      state.panic[priority] = host_set_in_panic(priorities[priority].hosts, threshold);
    }
    return;
  }
  if (threshold == 0 && state.normalized_total_availability == 0) {
    state.load.healthy.front() = static_cast<std::uint32_t>(full);
    return;
  }
  bool everywhere = true;
  for (std::size_t priority = 0; priority < priorities.size(); ++priority) {
    const bool panics =
        state.normalized_total_availability != full && host_set_in_panic(priorities[priority].hosts, threshold);
    state.panic[priority] = panics;
    everywhere = everywhere && panics;
  }
  if (everywhere) {
    state.total_panic = true;
    load_by_host_count(state, priorities);
  }
}

void resize(PriorityState& state, std::size_t priorities) {
  state.availability.resize(priorities);
  state.load.healthy.resize(priorities);
  state.load.degraded.resize(priorities);
  state.panic.resize(priorities);
}

HostCounts sum_weights(const HostSet& set, std::span<const Host> hosts) {
  const auto sum = [&hosts](const HostList& list) {
    std::uint64_t total = 0;
    for (const config::HostIndex host : list.hosts()) {
      total += hosts[host.value].weight;
    }
    return total;
  };
  return {sum(set.all), sum(set.healthy), sum(set.degraded), sum(set.excluded)};
}

}  // namespace

PriorityCounts count_hosts(const HostSet& set, std::span<const Host> hosts) {
  PriorityCounts counts;
  counts.hosts = {set.all.size(), set.healthy.size(), set.degraded.size(), set.excluded.size()};
  if (set.weighted_priority_health) {
    counts.weights = sum_weights(set, hosts);
  }
  counts.overprovisioning_factor = set.overprovisioning_factor;
  return counts;
}

PriorityAvailability availability(const PriorityCounts& counts) noexcept {
  if (counts.hosts.all == counts.hosts.excluded) {
    return {};
  }
  const HostCounts& measure = counts.weights ? *counts.weights : counts.hosts;
  const std::uint64_t countable = measure.all - measure.excluded;
  const auto percent = [&](std::uint64_t available) {
    return countable == 0 ? 0 : std::min(full, counts.overprovisioning_factor * available / countable);
  };
  return {percent(measure.healthy), percent(measure.degraded)};
}

std::uint64_t normalized_total(std::span<const PriorityAvailability> availabilities) noexcept {
  std::uint64_t total = 0;
  for (const PriorityAvailability& availability : availabilities) {
    total += availability.healthy + availability.degraded;
  }
  return std::min(full, total);
}

std::uint64_t panic_threshold(const config::CommonLbConfig& config, const config::Runtime& runtime) noexcept {
  return std::min(full, runtime.healthy_panic_threshold.value_or(percent_to_integer(config.healthy_panic_threshold)));
}

bool host_set_in_panic(const HostCounts& hosts, std::uint64_t threshold) noexcept {
  const std::uint64_t countable = hosts.all - hosts.excluded;
  double available = 0.0;
  if (countable > 0) {
    const auto denominator = static_cast<double>(countable);
    available = 100.0 * static_cast<double>(hosts.healthy) / denominator +
                100.0 * static_cast<double>(hosts.degraded) / denominator;
  }
  return available < static_cast<double>(std::min(full, threshold));
}

PriorityState initial_priority_state(std::span<const PriorityCounts> priorities, std::uint64_t threshold,
                                     config::EnvoyProfile profile) {
  PriorityState state;
  resize(state, priorities.size());
  if (priorities.empty()) {
    return state;
  }
  for (std::size_t priority = 0; priority < priorities.size(); ++priority) {
    state.availability[priority] = availability(priorities[priority]);
  }
  recompute_loads(state, profile);
  recompute_panic(state, priorities, std::min(full, threshold), profile);
  return state;
}

void update_priority(PriorityState& state, std::span<const PriorityCounts> priorities, std::size_t changed,
                     std::uint64_t threshold, config::EnvoyProfile profile) {
  resize(state, priorities.size());
  state.availability[changed] = availability(priorities[changed]);
  recompute_loads(state, profile);
  recompute_panic(state, priorities, std::min(full, threshold), profile);
}

PriorityChoice choose_priority(std::uint64_t draw, const HealthyAndDegradedLoad& load) noexcept {
  const std::uint64_t wanted = draw % full + 1;
  std::uint64_t sum = 0;
  for (std::size_t priority = 0; priority < load.healthy.size(); ++priority) {
    sum += load.healthy[priority];
    if (wanted <= sum) {
      return {config::Priority{static_cast<std::uint32_t>(priority)}, Availability::healthy};
    }
  }
  for (std::size_t priority = 0; priority < load.degraded.size(); ++priority) {
    sum += load.degraded[priority];
    if (wanted <= sum) {
      return {config::Priority{static_cast<std::uint32_t>(priority)}, Availability::degraded};
    }
  }
  return {};
}

PriorityTable tabulate_priorities(const HealthyAndDegradedLoad& load) noexcept {
  PriorityTable table;
  for (std::uint64_t residue = 0; residue < table.size(); ++residue) {
    table[residue] = choose_priority(residue, load);
  }
  return table;
}

}  // namespace spillway::envoy
