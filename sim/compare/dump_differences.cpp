// Differences between the proxy's state and the configuration of a cluster and its local cluster: members, localities,
// priorities and weights, as shown in /clusters.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "models/config/listed_health.hpp"
#include "sim/compare/case.hpp"
#include "sim/compare/fit.hpp"
#include "sim/observed/host_flags.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::compare {
namespace {

// Returns a node of this locality in a scenario of documents; creates it if there is none.
config::NodeIndex node_in(scenario::Scenario& world, const config::Locality& locality) {
  for (std::uint32_t node = 0; node < world.nodes.size(); ++node) {
    if (scenario::locality_of(world, config::NodeIndex{node}) == locality) {
      return config::NodeIndex{node};
    }
  }
  const std::string name = fmt::format("of /clusters {}", world.nodes.size());
  world.zones.push_back({name, locality.region, locality.zone});
  world.nodes.push_back(
      {name, config::ZoneIndex{static_cast<std::uint32_t>(world.zones.size() - 1)}, locality.sub_zone});
  return config::NodeIndex{static_cast<std::uint32_t>(world.nodes.size() - 1)};
}

// Returns the configuration's entries without hosts, with the weights of their localities, in order.
std::vector<config::LocalityLbEndpoints> empty_entries(const config::ClusterLoadAssignment& assignment) {
  std::vector<config::LocalityLbEndpoints> entries = assignment.endpoints;
  for (config::LocalityLbEndpoints& entry : entries) {
    entry.lb_endpoints.clear();
  }
  return entries;
}

// Sets the hosts of the last time, with their health. Facts missing in /clusters come from the configuration.
void hold(scenario::Scenario& world, config::ServiceIndex index, const Observation& observation) {
  scenario::Service& service = world.services[index.value];
  std::map<std::string, config::LbEndpoint> configured;
  for (const config::LocalityLbEndpoints& entry : service.load_assignment.endpoints) {
    for (const config::LbEndpoint& endpoint : entry.lb_endpoints) {
      configured.emplace(endpoint.address, endpoint);
    }
  }
  std::vector<config::LocalityLbEndpoints> entries = empty_entries(service.load_assignment);
  for (const ObservedHost& host : observation.hosts) {
    if (!host.after) {
      continue;
    }
    auto entry = std::find_if(entries.begin(), entries.end(), [&](const config::LocalityLbEndpoints& one) {
      return one.locality == host.after->locality && one.priority == host.after->priority;
    });
    if (entry == entries.end()) {
      entries.push_back({host.after->locality, host.after->priority, std::nullopt, {}});
      entry = std::prev(entries.end());
    }
    config::LbEndpoint endpoint{.address = host.address, .hostname = host.after->hostname};
    if (const auto known = configured.find(host.address); known != configured.end()) {
      endpoint = known->second;
    }
    endpoint.load_balancing_weight = std::max(1U, host.after->weight);
    endpoint.health_status = observed::status_of(host.after->flags);
    entry->lb_endpoints.push_back(std::move(endpoint));
  }
  service.load_assignment.endpoints = std::move(entries);
  service.hosts.clear();
  for (const config::LocalityLbEndpoints& entry : service.load_assignment.endpoints) {
    const config::NodeIndex node = node_in(world, entry.locality);
    for (const config::LbEndpoint& endpoint : entry.lb_endpoints) {
      service.hosts.push_back({config::EndpointIndex{static_cast<std::uint32_t>(world.endpoints.size())}});
      scenario::Endpoint made;
      made.id = endpoint.address;
      made.node = node;
      world.endpoints.push_back(std::move(made));
    }
  }
}

// Returns the health of the last time's hosts at the first time; nullopt if there is no first time or nothing changed.
// A host missing at the first time counts as draining.
std::optional<EdsReport> health_before(const Observation& observation) {
  EdsReport reported;
  bool known = false;
  bool changed = false;
  for (const ObservedHost& host : observation.hosts) {
    if (host.after) {
      known = known || host.before;
      const auto status = host.before ? observed::status_of(host.before->flags) : config::HealthStatus::draining;
      changed = changed || status != observed::status_of(host.after->flags);
      reported.status[host.address] = status;
    }
  }
  reported.newcomers = true;
  return known && changed ? std::optional(std::move(reported)) : std::nullopt;
}

// The kinds of differences between hosts in /clusters and in the configuration. Missing hosts already count as removed
// (EdsReport).
class Otherwise {
 public:
  Otherwise(const scenario::Service& service, const Observation& observation) {
    std::map<std::string, std::pair<const config::LocalityLbEndpoints*, const config::LbEndpoint*>> configured;
    for (const config::LocalityLbEndpoints& entry : service.load_assignment.endpoints) {
      for (const config::LbEndpoint& endpoint : entry.lb_endpoints) {
        configured.try_emplace(endpoint.address, &entry, &endpoint);
      }
    }
    std::size_t found = 0;
    for (const ObservedHost& host : observation.hosts) {
      const auto known = configured.find(host.address);
      if (!host.after) {
        continue;
      }
      if (known == configured.end()) {
        members = true;
        continue;
      }
      ++found;
      const auto& [entry, endpoint] = known->second;
      localities = localities || entry->locality != host.after->locality;
      priorities = priorities || entry->priority != host.after->priority;
      weights = weights || endpoint->load_balancing_weight != host.after->weight;
      health = health || config::is_listed_healthy(endpoint->health_status) !=
                             config::is_listed_healthy(observed::status_of(host.after->flags));
    }
    missing = found < configured.size();
  }

  bool members = false;
  bool localities = false;
  bool priorities = false;
  bool weights = false;
  bool health = false;
  bool missing = false;
};

std::string joined(const std::vector<const char*>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += i == 0 ? "" : i + 1 < words.size() ? ", " : " and ";
    text += words[i];
  }
  return text;
}

// Returns the text of the differences; empty if only weights differ, which need no other hosts.
std::string otherwise_text(const Case& one, config::ServiceIndex service) {
  const Otherwise hosts(one.scenario.services[service.value], one.observation);
  bool local = false;
  if (one.local_cluster && one.scenario.local_cluster != service) {
    const Otherwise other(one.scenario.services[one.scenario.local_cluster->value], *one.local_cluster);
    // Only the number of healthy hosts per locality matters for the local cluster.
    local = other.members || other.missing || other.localities || other.health;
  }
  if (!hosts.members && !hosts.localities && !hosts.priorities && !local) {
    return "";
  }
  std::vector<const char*> what;
  const auto add = [&](bool differs, const char* word) {
    if (differs) {
      what.push_back(word);
    }
  };
  add(hosts.members, "members");
  add(hosts.localities, "localities");
  add(hosts.priorities, "priorities");
  add(hosts.weights, "weights");
  add(local, "hosts of its local cluster");
  return "the proxy has other " + joined(what) + " than the configuration";
}

}  // namespace

std::optional<Reason> held_otherwise(const Tested& tested) {
  const Case& one = tested.one;
  const config::ServiceIndex service = scenario::services_of(one.scenario, one.scenario.clients.front()).front();
  if (!one.observation.held || !one.scenario.services[service.value].cluster.aggregate_clusters.empty()) {
    return std::nullopt;
  }
  const std::string text = otherwise_text(one, service);
  if (text.empty()) {
    return std::nullopt;
  }
  std::vector<scenario::Scenario> worlds = {one.scenario};
  worlds.insert(worlds.end(), one.other_ways.begin(), one.other_ways.end());
  std::vector<Prediction> states;
  for (scenario::Scenario& world : worlds) {
    hold(world, service, one.observation);
    if (one.local_cluster && world.local_cluster != service) {
      hold(world, *world.local_cluster, *one.local_cluster);
    }
    states.push_back(predict(world, {}));
    if (const auto before = health_before(one.observation)) {
      states.push_back(predict(world, *before));
    }
  }
  std::uint64_t unknown = 0;
  const Ground ground(counts_of(states.front().hosts, one.observation, &unknown), states);
  const double chance = unknown > 0 ? 0.0 : ground.chance(ground.mix(states));
  return tested.reason(ReasonKind::reported_otherwise, chance, true, text);
}

}  // namespace spillway::compare
