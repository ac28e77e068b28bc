#include "tests/conformance/zones.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "models/envoy/cluster.hpp"
#include "tests/conformance/counts.hpp"

namespace spillway::conformance {

namespace {

// Fills a priority set with one host after the other, locality by locality.
class Builder {
 public:
  explicit Builder(const json& localities) {
    for (const json& locality : localities) {
      set_.localities.push_back({"", locality.value("name", std::string()), ""});
      set_.locality_weights.push_back(locality.value("weight", std::uint32_t{0}));
    }
  }

  // `healthy_weight` is the sum of the healthy hosts' weights; the first of them has what the others leave.
  void add(std::uint32_t locality, const envoy::HostCounts& counts, std::uint64_t healthy_weight) {
    for (std::uint64_t position = 0; position < counts.all; ++position) {
      const config::HostIndex host{static_cast<std::uint32_t>(hosts_.size())};
      envoy::Host entry{.priority = {0}, .locality = locality};
      if (position == 0 && counts.healthy > 0) {
        entry.weight = static_cast<std::uint32_t>(healthy_weight - (counts.healthy - 1));
      }
      hosts_.push_back(entry);
      all_.push_back(host);
      if (position < counts.healthy) {
        healthy_.push_back(host);
      } else if (position < counts.healthy + counts.degraded) {
        degraded_.push_back(host);
      }
      if (position >= counts.all - counts.excluded) {
        excluded_.push_back(host);
      }
    }
  }

  envoy::PrioritySet finish(bool has_local_locality, std::uint32_t overprovisioning_factor) {
    const std::size_t localities = set_.localities.size();
    set_.has_local_locality = has_local_locality;
    set_.overprovisioning_factor = overprovisioning_factor;
    set_.all = {std::move(all_), hosts_, localities};
    set_.healthy = {std::move(healthy_), hosts_, localities};
    set_.degraded = {std::move(degraded_), hosts_, localities};
    set_.excluded = {std::move(excluded_), hosts_, localities};
    envoy::PrioritySet result;
    result.hosts = envoy::Hosts(std::move(hosts_));
    result.host_sets.push_back(std::move(set_));
    return result;
  }

 private:
  std::vector<envoy::Host> hosts_;
  envoy::HostSet set_;
  std::vector<config::HostIndex> all_;
  std::vector<config::HostIndex> healthy_;
  std::vector<config::HostIndex> degraded_;
  std::vector<config::HostIndex> excluded_;
};

config::LocalityBasis basis_of(const std::string& name) {
  if (name == "HEALTHY_HOSTS_NUM") {
    return config::LocalityBasis::healthy_hosts_num;
  }
  if (name == "HEALTHY_HOSTS_WEIGHT") {
    return config::LocalityBasis::healthy_hosts_weight;
  }
  throw std::invalid_argument("unknown locality_basis " + name);
}

envoy::Cluster zone_cluster(const json& input) {
  const json given = input.value("config", json::object());
  config::ZoneAwareLbConfig zone;
  zone.routing_enabled = {given.value("routing_enabled", 100.0)};
  zone.min_cluster_size = given.value("min_cluster_size", std::uint64_t{6});
  zone.fail_traffic_on_panic = input.value("fail_traffic_on_panic", given.value("fail_traffic_on_panic", false));
  zone.locality_basis = basis_of(given.value("locality_basis", std::string("HEALTHY_HOSTS_NUM")));
  if (given.contains("force_local_zone_min_size") && !given.at("force_local_zone_min_size").is_null()) {
    zone.force_local_zone = config::ForceLocalZone{given.at("force_local_zone_min_size").get<std::uint32_t>()};
  } else if (given.value("force_locality_direct_routing", false)) {
    zone.force_local_zone = config::ForceLocalZone{1};
  }
  envoy::Cluster cluster;
  cluster.common_lb_config.healthy_panic_threshold = {input.value("panic_threshold", 50.0)};
  cluster.common_lb_config.locality_config_specifier = zone;
  return cluster;
}

config::Runtime runtime_of(const json& input) {
  config::Runtime runtime;
  const json given = input.value("runtime", json::object());
  const auto read = [&given](const char* key, std::optional<std::uint64_t>& value) {
    if (given.is_object() && given.contains(key)) {
      value = given.at(key).get<std::uint64_t>();
    }
  };
  read("upstream.healthy_panic_threshold", runtime.healthy_panic_threshold);
  read("upstream.zone_routing.enabled", runtime.zone_routing_enabled);
  read("upstream.zone_routing.min_cluster_size", runtime.zone_routing_min_cluster_size);
  read("upstream.zone_routing.force_local_zone.min_size", runtime.force_local_zone_min_size);
  return runtime;
}

}  // namespace

envoy::PrioritySet zone_hosts(const json& side) {
  const json& localities = side.at("localities");
  Builder builder(localities);
  std::uint32_t position = 0;
  for (const json& locality : localities) {
    envoy::HostCounts counts;
    counts.healthy = locality.value("healthy", std::uint64_t{0});
    counts.degraded = locality.value("degraded", std::uint64_t{0});
    counts.all = locality.value("hosts", counts.healthy + counts.degraded);
    builder.add(position++, counts, locality.value("weight_sum", counts.healthy));
  }
  return builder.finish(side.value("has_local", false), side.value("overprovisioning_factor", std::uint32_t{140}));
}

envoy::PrioritySet weighted_hosts(const json& input) {
  Builder builder(input.at("localities"));
  std::uint32_t position = 0;
  for (const json& locality : input.at("localities")) {
    const envoy::HostCounts counts = host_counts(locality);
    builder.add(position++, counts, counts.healthy);
  }
  return builder.finish(false, input.value("overprovisioning_factor", std::uint32_t{140}));
}

std::shared_ptr<const envoy::ClusterState> zone_state(const json& input) {
  const envoy::PrioritySet local = zone_hosts(input.at("local"));
  const envoy::ProxyContext proxy{profile_of(input), runtime_of(input), &local};
  const envoy::Cluster cluster = zone_cluster(input);
  const auto state = envoy::refresh(cluster, nullptr, zone_hosts(input.at("upstream")), proxy);
  if (!input.at("local").contains("host_set_hosts")) {
    return state;
  }
  // A local cluster whose flat lists disagree with its localities, as only a unit test's can.
  auto changed = std::make_shared<envoy::ClusterState>(*state);
  const envoy::HostCounts hosts{input.at("local").at("host_set_hosts").get<std::uint64_t>(),
                                input.at("local").value("host_set_healthy", std::uint64_t{0}), 0, 0};
  changed->local_cluster_in_panic =
      envoy::host_set_in_panic(hosts, envoy::panic_threshold(cluster.common_lb_config, proxy.runtime));
  return changed;
}

}  // namespace spillway::conformance
