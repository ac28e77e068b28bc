#include "models/envoy/retry_priority.hpp"

#include <algorithm>

namespace spillway::envoy {

namespace {

// Distributes 100 % in sweeps over the healthy and then the degraded parts, so that the first entries of the next sweep
// get the remainder from truncation. Each sweep gives at least 1, because some part is not 0 and `total` is at most
// 100.
HealthyAndDegradedLoad distribute_in_sweeps(std::span<const PriorityAvailability> availability, std::uint64_t total) {
  HealthyAndDegradedLoad load{std::vector<std::uint32_t>(availability.size(), 0),
                              std::vector<std::uint32_t>(availability.size(), 0)};
  std::uint64_t left = 100;
  const auto give = [&](std::uint64_t part, std::uint32_t& entry) {
    const std::uint64_t share = std::min(left, part * 100 / total);
    entry += static_cast<std::uint32_t>(share);
    left -= share;
  };
  while (left > 0) {
    for (std::size_t priority = 0; priority < availability.size(); ++priority) {
      give(availability[priority].healthy, load.healthy[priority]);
    }
    for (std::size_t priority = 0; priority < availability.size(); ++priority) {
      give(availability[priority].degraded, load.degraded[priority]);
    }
  }
  return load;
}

}  // namespace

const HealthyAndDegradedLoad& PreviousPriorities::priority_load(std::span<const PriorityAvailability> availability,
                                                                const HealthyAndDegradedLoad& original) {
  if (attempted_.size() < update_frequency_) {
    return original;
  }
  if (attempted_.size() % update_frequency_ != 0) {
    return load_;
  }
  exclude_attempted(availability.size());
  std::vector<PriorityAvailability> available = remaining(availability);
  if (normalized_total(available) == 0) {
    excluded_.assign(availability.size(), false);
    attempted_.clear();
    available.assign(availability.begin(), availability.end());
  }
  const std::uint64_t total = normalized_total(available);
  load_ = total == 0 ? original : distribute_in_sweeps(available, total);
  return load_;
}

void PreviousPriorities::exclude_attempted(std::size_t priorities) {
  excluded_.resize(std::max(priorities, excluded_.size()), false);
  for (const config::Priority priority : attempted_) {
    if (priority.value < excluded_.size()) {
      excluded_[priority.value] = true;
    }
  }
}

std::vector<PriorityAvailability> PreviousPriorities::remaining(
    std::span<const PriorityAvailability> availability) const {
  std::vector<PriorityAvailability> result(availability.begin(), availability.end());
  for (std::size_t priority = 0; priority < result.size(); ++priority) {
    if (excluded_[priority]) {
      result[priority] = {};
    }
  }
  return result;
}

}  // namespace spillway::envoy
