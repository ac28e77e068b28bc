#include "sim/run/requests/forwarded_parts.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "sim/engine/epoch_record.hpp"
#include "sim/run/eds/upstreams.hpp"
#include "sim/run/exact/exact_mean.hpp"
#include "sim/run/traffic/flows.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::run {

// Returns the part that a zone proxy sends to each target of a service and, last, the part that it can send nowhere.
const std::vector<double>& ForwardedParts::behind(config::EndpointIndex proxy, config::ServiceIndex service) {
  if (const auto known = behind_.find({proxy, service}); known != behind_.end()) {
    return known->second;
  }
  const FlowIndex flow = balancing_.flows.of_zone_proxy(proxy, service);
  const Targets targets(balancing_.scenario, balancing_.flows.at(flow).service);
  const std::vector<double> further = of(targets);
  ExactMean mean(targets, further);
  mean.add(balancing_.traffic.exact_shares(flow, *balancing_.upstreams.state(flow)), 1.0);
  std::vector<double> parts(targets.size() + 1, 0.0);
  double sent = 0.0;
  for (std::uint32_t row = 0; row < targets.size() * engine::availabilities; ++row) {
    const double share = mean.share(row);
    parts[row / engine::availabilities] += share;
    sent += share;
  }
  constexpr double rounding = 1e-9;
  parts.back() = sent < 1.0 - rounding ? 1.0 - sent : 0.0;
  return behind_.emplace(std::pair(proxy, service), std::move(parts)).first->second;
}

std::vector<double> ForwardedParts::of(const Targets& targets) {
  if (pushes_ != balancing_.upstreams.pushes()) {
    pushes_ = balancing_.upstreams.pushes();
    behind_.clear();
  }
  std::vector<double> parts;
  if (!targets.forwarded()) {
    return parts;
  }
  parts.reserve(targets.size());
  for (std::uint32_t position = 0; position < targets.size(); ++position) {
    const Target& target = targets.at(position);
    if (!target.first_of_host) {
      continue;
    }
    const scenario::Host& host = balancing_.scenario.services[target.service.value].hosts[target.host.value];
    if (!host.forwards_to) {
      parts.push_back(1.0);
      continue;
    }
    const std::vector<double>& of_proxy = behind(host.endpoint, *host.forwards_to);
    parts.insert(parts.end(), of_proxy.begin(), of_proxy.end());
  }
  return parts;
}

std::vector<double> forwarded_parts(const Balancing& balancing, const Targets& targets) {
  return ForwardedParts(balancing).of(targets);
}

void OpenedConnections::note(std::uint32_t class_of_clients, const Targets& targets, const std::vector<double>& parts,
                             std::chrono::nanoseconds since) {
  if (parts.empty()) {
    return;
  }
  std::vector<std::uint8_t> opened = of(class_of_clients, targets, since);
  opened.resize(parts.size(), 0);
  for (std::size_t target = 0; target < parts.size(); ++target) {
    if (parts[target] > 0.0) {
      opened[target] = 1;
    }
  }
  opened_[class_of_clients] = {std::move(opened), std::max(since, opened_[class_of_clients].at)};
}

std::vector<std::uint8_t> OpenedConnections::of(std::uint32_t class_of_clients, const Targets& targets,
                                                std::chrono::nanoseconds since) const {
  const Opened& known = opened_[class_of_clients];
  std::vector<std::uint8_t> opened = known.targets;
  for (const scenario::Change& change : scenario_->changes) {
    if (!opened.empty() && change.at > known.at && change.at <= since) {
      end_connections(opened, targets, change);
    }
  }
  return opened;
}

void OpenedConnections::end_connections(std::vector<std::uint8_t>& opened, const Targets& targets,
                                        const scenario::Change& change) const {
  const auto* const existence = std::get_if<scenario::Existence>(&change.effect);
  const auto* const outage = std::get_if<scenario::NodeOutage>(&change.effect);
  const auto ends = [&](config::EndpointIndex endpoint) {
    if (outage != nullptr) {
      return !outage->on && scenario_->endpoints[endpoint.value].node == outage->node;
    }
    return existence != nullptr && !existence->exists &&
           std::any_of(existence->hosts.begin(), existence->hosts.end(), [&](config::HostIndex host) {
             return scenario::endpoint_index(*scenario_, existence->service, host) == endpoint;
           });
  };
  if (existence == nullptr && outage == nullptr) {
    return;
  }
  for (std::uint32_t target = 0; target < targets.size(); ++target) {
    const Target& to = targets.at(target);
    if (opened[target] != 0 && (ends(to.endpoint) || std::any_of(to.via.begin(), to.via.end(), ends))) {
      opened[target] = 0;
    }
  }
}

}  // namespace spillway::run
