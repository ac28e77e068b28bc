// The exact shares of a row, behind zone proxies too.
#include "sim/run/epoch_book.hpp"

namespace spillway::run {

// Of the row that is open, over its states.
ExactMean EpochBook::exact_mean(FlowIndex index, std::span<const double> forwarded) const {
  const Entry& entry = entries_[index.value];
  const StateUses& uses = entry.by_requests.total() > 0.0 ? entry.by_requests
                          : entry.by_rate.total() > 0.0   ? entry.by_rate
                                                          : entry.by_time;
  ExactMean mean(targets(index), forwarded);
  if (entry.slow_start_until > entry.epochs.back().start) {
    mean.add({.hosts = {}, .closed_form = false, .basis = "hosts in slow start"}, 1.0);
  }
  for (const StateUses::Use& use : uses.uses()) {
    mean.add(traffic_->exact_shares(index, *use.state), use.weight);
  }
  return mean;
}

// By target of the flow: its part of what its host gets.
std::vector<double> EpochBook::forwarded(FlowIndex index) const {
  const Targets& hosts = targets(index);
  std::vector<double> parts;
  parts.reserve(hosts.size());
  for (std::uint32_t position = 0; position < hosts.size(); ++position) {
    const Target& target = hosts.at(position);
    if (!target.first_of_host) {
      continue;
    }
    const scenario::Host& host = scenario_->services[target.service.value].hosts[target.host.value];
    if (!host.forwards_to) {
      parts.push_back(1.0);
      continue;
    }
    const std::vector<double> behind = parts_behind(host.endpoint, *host.forwards_to);
    parts.insert(parts.end(), behind.begin(), behind.end());
  }
  return parts;
}

// What a zone proxy sends to each target of a service, and last what it can send nowhere.
std::vector<double> EpochBook::parts_behind(config::EndpointIndex proxy, config::ServiceIndex service) const {
  const FlowIndex flow = flows_->of_zone_proxy(proxy, service);
  const Targets& hosts = targets(flow);
  const std::vector<double> further = hosts.forwarded() ? forwarded(flow) : std::vector<double>{};
  ExactMean mean(hosts, further);
  mean.add(traffic_->exact_shares(flow, *upstreams_->state(flow)), 1.0);
  std::vector<double> parts(hosts.size() + 1, 0.0);
  double sent = 0.0;
  for (std::uint32_t row = 0; row < hosts.size() * engine::availabilities; ++row) {
    const double share = mean.share(row).value_or(0.0);
    parts[row / engine::availabilities] += share;
    sent += share;
  }
  constexpr double rounding = 1e-9;
  parts.back() = sent < 1.0 - rounding ? 1.0 - sent : 0.0;
  return parts;
}

std::optional<std::vector<double>> EpochBook::present_shares(FlowIndex index, Nanoseconds start) const {
  const Targets& hosts = targets(index);
  const std::vector<double> parts = hosts.forwarded() ? forwarded(index) : std::vector<double>{};
  ExactMean mean(hosts, parts);
  mean.add(traffic_->exact_shares(index, *upstreams_->state(index)), 1.0);
  std::vector<double> shares(hosts.size(), 0.0);
  for (std::uint32_t row = 0; row < hosts.size() * engine::availabilities; ++row) {
    const std::optional<double> share = mean.share(row);
    if (!share || entries_[index.value].slow_start_until > start) {
      return std::nullopt;
    }
    shares[row / engine::availabilities] += *share;
  }
  return shares;
}

}  // namespace spillway::run
