#include "sim/run/traffic/sessions.hpp"

#include <string_view>
#include <unordered_map>

#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::run {

namespace {

// Returns addresses by host.
std::vector<std::string_view> addresses_of(const scenario::Service& service) {
  std::vector<std::string_view> addresses;
  for (const config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
    for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
      addresses.emplace_back(endpoint.address);
    }
  }
  return addresses;
}

}  // namespace

Sessions::Sessions(const scenario::Scenario& scenario, const Traffic& traffic) : scenario_(&scenario) {
  for (std::uint32_t entry = 0; entry < scenario.clients.size(); ++entry) {
    const std::uint32_t sessions = traffic.sessions(config::ClientEntryIndex{entry});
    first_.push_back(remembered_.size());
    per_client_.push_back(sessions);
    remembered_.resize(remembered_.size() + std::size_t{sessions} * scenario.clients[entry].count);
  }
}

std::optional<config::HostIndex> Sessions::host_in(config::ServiceIndex service, Place place) const {
  const scenario::Service& wanted = scenario_->services[service.value];
  if (!wanted.cluster.aggregate_clusters.empty()) {
    return std::nullopt;
  }
  const scenario::Service& known = scenario_->services[place.service.value];
  const config::HostIndex host = scenario::same_host(known, place.host);
  if (place.service == service) {
    return host;
  }
  const auto [found, is_new] = same_address_.try_emplace({place.service, service});
  std::vector<std::uint32_t>& same = found->second;
  if (is_new) {
    std::unordered_map<std::string_view, std::uint32_t> hosts;
    std::uint32_t number = 0;
    for (const std::string_view address : addresses_of(wanted)) {
      hosts.try_emplace(address, number++);
    }
    for (const std::string_view address : addresses_of(known)) {
      const auto other = hosts.find(address);
      same.push_back(other == hosts.end() ? none : other->second);
    }
  }
  return same[host.value] == none ? std::nullopt : std::optional(config::HostIndex{same[host.value]});
}

}  // namespace spillway::run
