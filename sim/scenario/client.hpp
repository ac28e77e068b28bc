// An entry of clients: proxies alike, with their workload.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "models/kuma/policy_trail.hpp"
#include "sim/scenario/outbound_in_use.hpp"
#include "sim/scenario/workload.hpp"

namespace spillway::scenario {

// `count` clients alike, each a proxy with a balancer of its own. They are one client in every table: their locality
// and tags are those of `node`, wherever each of them runs.
struct ClientEntry {
  std::string name;
  config::NodeIndex node;
  std::uint32_t count = 1;
  Workload workload;
  std::map<std::string, std::string> tags = {};  // beside those of its node and zone
  // A zone proxy: it sends nothing of its own, and forwards what it gets to these services.
  std::optional<config::EndpointIndex> zone_proxy = {};
  std::vector<config::ServiceIndex> forwards = {};
  // Under documents of Kuma: what MeshLoadBalancingStrategy says about each service, as they were looked up.
  std::vector<kuma::PolicyTrail> policy_trails = {};
  std::vector<OutboundInUse> outbounds = {};  // the listeners that its requests use
  std::uint32_t concurrency = 1;              // workers of each proxy, which have balancers of their own
  // Where they run, all in the zone of `node`: the first client on the first of these, the next one on the next, and
  // round again. Empty: all on `node`.
  std::vector<config::NodeIndex> nodes = {};
};

// Where one of the entry's clients runs, counted from 0.
[[nodiscard]] inline config::NodeIndex node_of(const ClientEntry& entry, std::uint32_t client) noexcept {
  return entry.nodes.empty() ? entry.node : entry.nodes[client % entry.nodes.size()];
}

// How many of the entry's clients run on nodes of which `is_one` says so.
template <class Predicate>
[[nodiscard]] std::uint32_t clients_on(const ClientEntry& entry, const Predicate& is_one) {
  std::uint32_t sum = entry.nodes.empty() && is_one(entry.node) ? entry.count : 0;
  for (std::size_t index = 0; index < entry.nodes.size(); ++index) {
    const auto nodes = static_cast<std::uint32_t>(entry.nodes.size());
    sum += is_one(entry.nodes[index]) ? entry.count / nodes + (index < entry.count % nodes ? 1 : 0) : 0;
  }
  return sum;
}

}  // namespace spillway::scenario
