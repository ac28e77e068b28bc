#include "sim/run/requests/forwarded_parts.hpp"

#include "sim/engine/epoch_record.hpp"
#include "sim/run/exact/exact_mean.hpp"

namespace spillway::run {

namespace {

// What a zone proxy sends to each target of a service, and last what it can send nowhere.
std::vector<double> parts_behind(const Balancing& balancing, config::EndpointIndex proxy,
                                 config::ServiceIndex service) {
  const FlowIndex flow = balancing.flows.of_zone_proxy(proxy, service);
  const Targets targets(balancing.scenario, balancing.flows.at(flow).service);
  const std::vector<double> further = forwarded_parts(balancing, targets);
  ExactMean mean(targets, further);
  mean.add(balancing.traffic.exact_shares(flow, *balancing.upstreams.state(flow)), 1.0);
  std::vector<double> parts(targets.size() + 1, 0.0);
  double sent = 0.0;
  for (std::uint32_t row = 0; row < targets.size() * engine::availabilities; ++row) {
    const double share = mean.share(row);
    parts[row / engine::availabilities] += share;
    sent += share;
  }
  constexpr double rounding = 1e-9;
  parts.back() = sent < 1.0 - rounding ? 1.0 - sent : 0.0;
  return parts;
}

}  // namespace

std::vector<double> forwarded_parts(const Balancing& balancing, const Targets& targets) {
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
    const scenario::Host& host = balancing.scenario.services[target.service.value].hosts[target.host.value];
    if (!host.forwards_to) {
      parts.push_back(1.0);
      continue;
    }
    const std::vector<double> behind = parts_behind(balancing, host.endpoint, *host.forwards_to);
    parts.insert(parts.end(), behind.begin(), behind.end());
  }
  return parts;
}

}  // namespace spillway::run
