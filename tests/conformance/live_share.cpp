// Recorded counts of a real LiveEnvoy against our exact shares, by a G-test over hosts and "no host".
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/envoy/exact_shares.hpp"
#include "models/envoy/load_balancer_picks.hpp"
#include "tests/conformance/check.hpp"
#include "tests/conformance/envoy_documents.hpp"
#include "tests/support/g_test.hpp"

namespace spillway::conformance {

namespace {

using envoy::ClusterState;

// One LiveEnvoy: its clusters by name, and what it knows besides.
struct LiveEnvoy {
  std::map<std::string, EnvoyCluster> clusters;
  config::Locality own_locality;
  config::Runtime runtime;
  std::string local_cluster;
};

LiveEnvoy read_envoy(const json& input) {
  LiveEnvoy envoy;
  for (const json& cluster : input.at("clusters")) {
    EnvoyCluster read = read_cluster(cluster);
    envoy.clusters.emplace(read.cluster.name, std::move(read));
  }
  const json node = input.value("node", json(nullptr));
  if (node.is_object()) {
    envoy.own_locality = read_locality(node.value("locality", json(nullptr)));
  }
  envoy.runtime = read_runtime(input.value("runtime", json(nullptr)));
  const json local = input.value("local_cluster", json(nullptr));
  envoy.local_cluster = local.is_string() ? local.get<std::string>() : "";
  return envoy;
}

envoy::PrioritySet hosts_of(const LiveEnvoy& envoy, const std::string& cluster) {
  return envoy::make_priority_set(envoy.clusters.at(cluster).load_assignment, {.own_locality = envoy.own_locality});
}

std::shared_ptr<const ClusterState> plain_state(const LiveEnvoy& envoy, const std::string& cluster,
                                                const envoy::ProxyContext& proxy) {
  return envoy::refresh(envoy.clusters.at(cluster).cluster, nullptr, hosts_of(envoy, cluster), proxy);
}

std::shared_ptr<const ClusterState> state_of(const LiveEnvoy& envoy, const std::string& cluster,
                                             const envoy::ProxyContext& proxy) {
  const envoy::Cluster& routed = envoy.clusters.at(cluster).cluster;
  if (routed.aggregate_clusters.empty()) {
    return plain_state(envoy, cluster, proxy);
  }
  std::vector<std::shared_ptr<const ClusterState>> children;
  for (const std::string& child : routed.aggregate_clusters) {
    const auto known = envoy.clusters.find(child);
    if (known == envoy.clusters.end()) {
      children.push_back(nullptr);
    } else if (!known->second.cluster.aggregate_clusters.empty()) {
      children.push_back(envoy::refresh_aggregate(known->second.cluster, {}, proxy));
    } else {
      children.push_back(plain_state(envoy, child, proxy));
    }
  }
  return envoy::refresh_aggregate(routed, children, proxy);
}

// The requests that stayed in flight to a plain cluster's hosts; `held` names them without their ports.
std::vector<std::uint32_t> requests_in_flight(const LiveEnvoy& envoy, const std::string& cluster, const json& held) {
  std::vector<std::uint32_t> active;
  for (const auto& group : envoy.clusters.at(cluster).load_assignment.endpoints) {
    for (const auto& endpoint : group.lb_endpoints) {
      active.push_back(held.value(endpoint.address.substr(0, endpoint.address.rfind(':')), 0U));
    }
  }
  return active;
}

// Adds a cluster's exact shares by "ip:port", and those of "" where no host is found.
void add_shares(const LiveEnvoy& envoy, const std::string& cluster, const ClusterState& state, const json& held,
                double probability, std::map<std::string, double>& shares) {
  std::map<std::string, std::vector<std::string>> addresses;
  for (const auto& [name, known] : envoy.clusters) {
    for (const auto& group : known.load_assignment.endpoints) {
      for (const auto& endpoint : group.lb_endpoints) {
        addresses[name].push_back(endpoint.address);
      }
    }
  }
  const std::vector<std::uint32_t> active =
      held.empty() ? std::vector<std::uint32_t>() : requests_in_flight(envoy, cluster, held);
  const envoy::ExactShares exact = envoy::exact_shares(state, active);
  if (!exact.closed_form()) {
    throw std::invalid_argument("no closed form: " + exact.basis);
  }
  const auto& children = envoy.clusters.at(cluster).cluster.aggregate_clusters;
  double found = 0.0;
  for (const envoy::HostShare& row : exact.hosts) {
    shares[addresses.at(children.empty() ? cluster : children[row.child])[row.host.value]] += probability * row.share;
    found += row.share;
  }
  constexpr double rounding = 1e-9;
  shares[""] += probability * (1.0 - found > rounding ? 1.0 - found : 0.0);
}

// The clusters that requests go to, with their parts of them: one, or those of the only route.
std::map<std::string, double> targets_of(const json& input) {
  if (input.contains("route_cluster")) {
    return {{input.at("route_cluster").get<std::string>(), 1.0}};
  }
  const json& clusters = input.at("routes").at(0).at("route").at("weighted_clusters").at("clusters");
  double all = 0.0;
  for (const json& cluster : clusters) {
    all += cluster.at("weight").get<double>();
  }
  std::map<std::string, double> targets;
  for (const json& cluster : clusters) {
    targets[cluster.at("name").get<std::string>()] += cluster.at("weight").get<double>() / all;
  }
  return targets;
}

// The cluster's name of a recorded host, which may leave out the port.
std::string address_of(const std::string& recorded, const std::set<std::string>& known) {
  if (known.contains(recorded)) {
    return recorded;
  }
  for (const std::string& address : known) {
    if (address.substr(0, address.rfind(':')) == recorded) {
      return address;
    }
  }
  throw std::invalid_argument("recorded host " + recorded + " is in no cluster");
}

// Recorded answers by "ip:port", and of "" the requests that found no host.
std::map<std::string, std::uint64_t> recorded_counts(const LiveEnvoy& envoy, const json& expected) {
  std::set<std::string> known;
  for (const auto& [name, cluster] : envoy.clusters) {
    for (const auto& group : cluster.load_assignment.endpoints) {
      for (const auto& endpoint : group.lb_endpoints) {
        known.insert(endpoint.address);
      }
    }
  }
  std::map<std::string, std::uint64_t> counts;
  counts[""] = expected.value("no_host", std::uint64_t{0});
  for (const auto& [host, count] : expected.at("hosts").items()) {
    counts[address_of(host, known)] += count.get<std::uint64_t>();
  }
  return counts;
}

void judge(std::map<std::string, std::uint64_t> counts, const std::map<std::string, double>& shares, Check& check) {
  constexpr double family_alpha = 1e-6;
  for (const auto& [address, share] : shares) {
    counts.try_emplace(address, 0);
  }
  std::vector<std::uint64_t> observed;
  std::vector<double> expected;
  for (const auto& [address, count] : counts) {
    const auto share = shares.find(address);
    observed.push_back(count);
    expected.push_back(share == shares.end() ? 0.0 : share->second);
    if (count > 0 && expected.back() <= 0.0) {
      check.fail("'" + address + "' answered " + std::to_string(count) + " requests, its exact share is 0");
    }
  }
  const double p = support::g_test(observed, expected);
  if (p < family_alpha / static_cast<double>(live_cases())) {
    check.fail("G-test against the exact shares: p = " + json(p).dump());
  }
}

}  // namespace

void replay_live_share(const json& input, Check& check) {
  const LiveEnvoy envoy = read_envoy(input);
  envoy::PrioritySet local;
  envoy::ProxyContext proxy{.runtime = envoy.runtime};
  if (!envoy.local_cluster.empty()) {
    local = hosts_of(envoy, envoy.local_cluster);
    proxy.local_cluster = &local;
  }
  const auto counts = recorded_counts(envoy, check.expected());
  std::uint64_t total = 0;
  for (const auto& [address, count] : counts) {
    total += count;
  }
  check.equal("requests", total);
  check.documentation("hosts");
  check.documentation("no_host");
  std::map<std::string, double> shares;
  for (const auto& [cluster, part] : targets_of(input)) {
    add_shares(envoy, cluster, *state_of(envoy, cluster, proxy), input.value("held", json::object()), part, shares);
  }
  judge(counts, shares, check);
}

}  // namespace spillway::conformance
