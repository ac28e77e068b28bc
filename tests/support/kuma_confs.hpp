// Short ways to write down policies, clients and endpoints of Kuma in tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/kuma/client.hpp"
#include "models/kuma/endpoint.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::test {

inline kuma::Failover failover(std::string type, std::vector<std::string> zones = {},
                               std::vector<std::string> from = {}) {
  kuma::Failover rule;
  rule.to.emplace().type = std::move(type);
  if (!zones.empty()) {
    rule.to->zones = std::move(zones);
  }
  if (!from.empty()) {
    rule.from.emplace().zones = std::move(from);
  }
  return rule;
}

// localZone: {}, which alone keeps traffic in the zone.
inline kuma::Conf local_zone(std::vector<kuma::AffinityTag> tags = {}) {
  kuma::Conf conf;
  conf.localityAwareness.emplace().localZone.emplace().affinityTags = std::move(tags);
  return conf;
}

inline kuma::Conf cross_zone(std::vector<kuma::Failover> rules) {
  kuma::Conf conf;
  conf.localityAwareness.emplace().crossZone.emplace().failover = std::move(rules);
  return conf;
}

// A policy for one destination.
inline kuma::MeshLoadBalancingStrategy strategy(kuma::Conf conf, kuma::TargetRef to = {.kind = "Mesh"}) {
  kuma::MeshLoadBalancingStrategy result;
  result.to.emplace().push_back({.targetRef = std::move(to), .default_ = std::move(conf)});
  return result;
}

inline kuma::Conf threshold(kuma::IntOrString percentage) {
  kuma::Conf conf;
  conf.localityAwareness.emplace().crossZone.emplace().failoverThreshold.emplace().percentage = std::move(percentage);
  return conf;
}

inline kuma::Conf disabled(bool value) {
  kuma::Conf conf;
  conf.localityAwareness.emplace().disabled = value;
  return conf;
}

inline kuma::Conf balancer(std::string type) {
  kuma::Conf conf;
  conf.loadBalancer.emplace().type = std::move(type);
  return conf;
}

inline kuma::AffinityTag tag(std::string key) {
  return {.key = std::move(key)};
}

inline kuma::Client client(std::string zone, kuma::Tags tags = {}) {
  return {.zone = std::move(zone), .labels = tags, .inbounds = {tags}};
}

// At the base priority of a real destination, in the locality of its zone; "" has no locality.
inline kuma::Endpoint endpoint(std::string name, const std::string& zone, kuma::Tags tags = {}) {
  kuma::Endpoint result{.address = std::move(name), .weight = 1, .tags = std::move(tags)};
  if (!zone.empty()) {
    result.tags[std::string(kuma::zone_tag)] = zone;
    result.locality = kuma::EndpointLocality{.zone = zone};
  }
  return result;
}

// One endpoint a zone, called as its zone.
inline std::vector<kuma::Endpoint> one_endpoint_in(const std::vector<std::string>& zones) {
  std::vector<kuma::Endpoint> endpoints;
  for (const std::string& zone : zones) {
    endpoints.push_back(endpoint(zone, zone));
  }
  return endpoints;
}

// A policy for the whole mesh with one item.
inline kuma::Policy policy(std::string name, kuma::TargetRef to, kuma::Conf conf, kuma::Tags labels = {}) {
  kuma::Policy result{.name = std::move(name), .labels = std::move(labels)};
  result.spec.to.emplace().push_back({.targetRef = std::move(to), .default_ = std::move(conf)});
  return result;
}

}  // namespace spillway::test
