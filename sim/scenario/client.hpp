// An entry of `clients`: identical proxies with their workload.
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

// `count` identical clients, each a proxy with its own balancer. Tables show them as one client. All have the locality
// and tags of `node`, even if they run on other nodes.
struct ClientEntry {
  std::string name;
  config::NodeIndex node;
  std::uint32_t count = 1;
  Workload workload;
  std::map<std::string, std::string> tags = {};  // in addition to those of its node and zone
  // Set for a zone proxy. It sends no requests of its own, and forwards those it receives to these services.
  std::optional<config::EndpointIndex> zone_proxy = {};
  std::vector<config::ServiceIndex> forwards = {};
  // With Kuma's documents: how MeshLoadBalancingStrategy determined the settings for each service, in the order of
  // lookup.
  std::vector<kuma::PolicyTrail> policy_trails = {};
  std::vector<OutboundInUse> outbounds = {};  // the listeners that its requests use
  std::uint32_t concurrency = 1;              // workers of each proxy; each has its own balancer
  // The nodes on which the clients run, assigned round robin; all in the zone of `node`. Empty if all run on `node`.
  std::vector<config::NodeIndex> nodes = {};
};

// Returns the node of one of the entry's clients, counted from 0.
[[nodiscard]] inline config::NodeIndex node_of(const ClientEntry& entry, std::uint32_t client) noexcept {
  return entry.nodes.empty() ? entry.node : entry.nodes[client % entry.nodes.size()];
}

// Returns the number of the entry's clients on nodes for which `is_one` is true.
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
