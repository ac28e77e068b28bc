#include "models/envoy/policies/bounded_load.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/envoy/active_requests.hpp"

namespace spillway::envoy::policies {

std::uint32_t bounded_load_total_slots(std::uint64_t cluster_active, std::uint32_t factor) noexcept {
  return static_cast<std::uint32_t>(((cluster_active + 1) * factor + 99) / 100);
}

std::uint32_t bounded_load_host_slots(std::uint32_t total_slots, double normalized_weight) noexcept {
  return std::max(static_cast<std::uint32_t>(std::ceil(total_slots * normalized_weight)), 1U);
}

std::uint32_t BoundedLoad::total_slots(ActiveRequests active_requests) const noexcept {
  return bounded_load_total_slots(active_requests.total(), factor_);
}

double BoundedLoad::load(std::size_t position, std::uint32_t total, ActiveRequests active_requests) const noexcept {
  const NormalizedHost& host = hosts_[position];
  const double active = active_requests.empty() ? 0.0 : active_requests[host.host.value];
  return active / bounded_load_host_slots(total, host.weight);
}

config::HostIndex BoundedLoad::pick(config::HostIndex base, std::uint64_t hash, ActiveRequests active_requests,
                                    std::span<std::uint32_t> scratch) const noexcept {
  if (active_requests.empty() || active_requests[base.value] == 0) {
    return base;
  }
  const auto found =
      std::find_if(hosts_.begin(), hosts_.end(), [base](const NormalizedHost& host) { return host.host == base; });
  const auto position = static_cast<std::uint32_t>(found - hosts_.begin());
  const std::uint32_t total = total_slots(active_requests);
  const auto load_of = [&](std::uint32_t candidate) { return load(candidate, total, active_requests); };
  return hosts_[pick_bounded(position, hash, scratch.first(hosts_.size()), load_of)].host;
}

void BoundedLoad::redistribute(std::span<double> shares, ActiveRequests active_requests) const {
  const std::uint32_t total = total_slots(active_requests);
  std::vector<double> loads;
  loads.reserve(hosts_.size());
  for (std::size_t position = 0; position < hosts_.size(); ++position) {
    loads.push_back(load(position, total, active_requests));
  }
  // If no host is within its bound, the least loaded hosts take everything.
  const double bound = loads.empty() ? 1.0 : std::max(1.0, *std::min_element(loads.begin(), loads.end()));
  const auto receivers = std::count_if(loads.begin(), loads.end(), [bound](double load) { return load <= bound; });
  double moved = 0.0;
  for (std::size_t position = 0; position < hosts_.size(); ++position) {
    if (loads[position] > bound) {
      moved += std::exchange(shares[hosts_[position].host.value], 0.0);
    }
  }
  for (std::size_t position = 0; position < hosts_.size(); ++position) {
    if (loads[position] <= bound) {
      shares[hosts_[position].host.value] += moved / static_cast<double>(receivers);
    }
  }
}

}  // namespace spillway::envoy::policies
