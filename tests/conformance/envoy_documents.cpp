#include "tests/conformance/envoy_documents.hpp"

#include <stdexcept>
#include <utility>

#include "tests/conformance/policy_configs.hpp"

namespace spillway::conformance {

namespace {

const std::map<std::string, config::HealthStatus> health_statuses = {
    {"UNKNOWN", config::HealthStatus::unknown},     {"HEALTHY", config::HealthStatus::healthy},
    {"UNHEALTHY", config::HealthStatus::unhealthy}, {"DRAINING", config::HealthStatus::draining},
    {"TIMEOUT", config::HealthStatus::timeout},     {"DEGRADED", config::HealthStatus::degraded}};

const std::map<std::string, envoy::policies::Config> lb_policies = {
    {"ROUND_ROBIN", envoy::policies::round_robin::Config{}},
    {"RANDOM", envoy::policies::random::Config{}},
    {"LEAST_REQUEST", envoy::policies::least_request::Config{}}};

[[noreturn]] void refuse_document(const std::string& what, const json& value) {
  throw std::invalid_argument("cannot read " + what + ": " + value.dump());
}

config::Percent read_percent(const json& object) {
  return {object.value("value", 0.0)};
}

config::ZoneAwareLbConfig read_zone_aware(const json& object) {
  config::ZoneAwareLbConfig zone;
  for (const auto& [key, value] : object.items()) {
    if (key == "routing_enabled") {
      zone.routing_enabled = read_percent(value);
    } else if (key == "min_cluster_size") {
      zone.min_cluster_size = value.get<std::uint64_t>();
    } else if (key == "fail_traffic_on_panic") {
      zone.fail_traffic_on_panic = value.get<bool>();
    } else if (key == "force_local_zone") {
      zone.force_local_zone = config::ForceLocalZone{value.value("min_size", std::uint32_t{1})};
    } else if (key == "force_locality_direct_routing") {
      if (value.get<bool>() && !zone.force_local_zone && !object.contains("force_local_zone")) {
        zone.force_local_zone = config::ForceLocalZone{1};
      }
    } else if (key == "locality_basis") {
      zone.locality_basis = value == "HEALTHY_HOSTS_WEIGHT" ? config::LocalityBasis::healthy_hosts_weight
                                                            : config::LocalityBasis::healthy_hosts_num;
    } else {
      refuse_document("zone_aware_lb_config." + key, value);
    }
  }
  return zone;
}

// True if `key` was one of the two ways to treat localities.
bool read_locality_lb(const std::string& key, const json& value, config::LocalityConfigSpecifier& specifier) {
  if (key == "zone_aware_lb_config") {
    specifier = read_zone_aware(value);
  } else if (key == "locality_weighted_lb_config") {
    specifier = config::LocalityWeightedLbConfig{};
  } else {
    return false;
  }
  return true;
}

config::CommonLbConfig read_common_lb_config(const json& object) {
  config::CommonLbConfig common;
  for (const auto& [key, value] : object.items()) {
    if (key == "healthy_panic_threshold") {
      common.healthy_panic_threshold = read_percent(value);
    } else if (key != "consistent_hashing_lb_config" && key != "override_host_status" &&
               !read_locality_lb(key, value, common.locality_config_specifier)) {
      refuse_document("common_lb_config." + key, value);
    }
  }
  return common;
}

envoy::policies::Config read_least_request_policy(const json& object) {
  envoy::policies::least_request::Config policy;
  for (const auto& [key, value] : object.items()) {
    if (key == "choice_count") {
      policy.choice_count = value.get<std::uint32_t>();
    } else if (key == "active_request_bias") {
      policy.active_request_bias = value.at("default_value").get<double>();
    } else if (key == "selection_method") {
      policy.selection_method = value == "FULL_SCAN" ? envoy::policies::least_request::SelectionMethod::full_scan
                                                     : envoy::policies::least_request::SelectionMethod::n_choices;
    } else if (key != "@type" && key != "locality_lb_config") {
      refuse_document("least_request." + key, value);
    }
  }
  return policy;
}

void read_load_balancing_policy(const json& object, envoy::Cluster& cluster);

// The policy inside a policy, with its way to treat localities.
envoy::policies::ChildPolicy read_child_policy(const json& object, envoy::Cluster& cluster) {
  envoy::Cluster inner = cluster;
  read_load_balancing_policy(object, inner);
  cluster.common_lb_config = inner.common_lb_config;
  return envoy::policies::ChildPolicy(envoy::policies::PolicyConfig{inner.lb_policy});
}

envoy::policies::Config read_override_host(const json& object, envoy::Cluster& cluster) {
  envoy::policies::override_host::Config policy;
  for (const json& source : object.at("override_host_sources")) {
    auto& added = policy.override_host_sources.emplace_back();
    added.header = source.value("header", std::string());
    if (source.contains("metadata")) {
      added.metadata = source.at("metadata").at("path").at(0).at("key").get<std::string>();
    }
  }
  policy.fallback_policy = read_child_policy(object.at("fallback_policy"), cluster);
  return policy;
}

// A policy that holds another one; true if it was.
bool read_nesting_policy(const std::string& type, const json& config, envoy::Cluster& cluster) {
  if (type.ends_with(".Subset")) {
    auto policy = read_subset(config);
    policy.subset_lb_policy = read_child_policy(config.at("subset_lb_policy"), cluster);
    cluster.lb_policy = policy;
    return true;
  }
  if (type.ends_with(".OverrideHost")) {
    cluster.lb_policy = read_override_host(config, cluster);
    return true;
  }
  return false;
}

// A policy extension brings its own way to treat localities; common_lb_config's is not looked at then.
void read_load_balancing_policy(const json& object, envoy::Cluster& cluster) {
  const json& config = object.at("policies").at(0).at("typed_extension_config").at("typed_config");
  if (read_nesting_policy(config.at("@type").get<std::string>(), config, cluster)) {
    return;
  }
  const std::string type = config.at("@type").get<std::string>();
  const auto ends_with = [&type](const char* name) { return type.ends_with(name); };
  if (ends_with(".RoundRobin")) {
    cluster.lb_policy = envoy::policies::round_robin::Config{};
  } else if (ends_with(".Random")) {
    cluster.lb_policy = envoy::policies::random::Config{};
  } else if (ends_with(".LeastRequest")) {
    cluster.lb_policy = read_least_request_policy(config);
  } else if (ends_with(".RingHash")) {
    cluster.lb_policy = read_ring_hash(config);
  } else if (ends_with(".Maglev")) {
    cluster.lb_policy = read_maglev(config);
  } else {
    refuse_document("load_balancing_policy", config);
  }
  cluster.common_lb_config.locality_config_specifier = {};
  if (config.contains("locality_weighted_lb_config")) {
    cluster.common_lb_config.locality_config_specifier = config::LocalityWeightedLbConfig{};
  }
  const json locality = config.value("locality_lb_config", json::object());
  for (const auto& [key, value] : locality.items()) {
    if (!read_locality_lb(key, value, cluster.common_lb_config.locality_config_specifier)) {
      refuse_document("locality_lb_config." + key, value);
    }
  }
}

config::LbEndpoint read_lb_endpoint(const json& object) {
  const json& socket = object.at("endpoint").at("address").at("socket_address");
  config::LbEndpoint endpoint;
  endpoint.address = socket.at("address").get<std::string>() + ":" + std::to_string(socket.at("port_value").get<int>());
  endpoint.health_status = health_statuses.at(object.value("health_status", std::string("UNKNOWN")));
  endpoint.load_balancing_weight = object.value("load_balancing_weight", std::uint32_t{1});
  endpoint.hostname = object.at("endpoint").value("hostname", std::string());
  endpoint.metadata = read_metadata(object.value("metadata", json::object()));
  return endpoint;
}

config::ClusterLoadAssignment read_load_assignment(const json& object) {
  config::ClusterLoadAssignment assignment;
  assignment.cluster_name = object.value("cluster_name", std::string());
  for (const json& group : object.value("endpoints", json::array())) {
    config::LocalityLbEndpoints endpoints;
    endpoints.locality = read_locality(group.value("locality", json(nullptr)));
    endpoints.priority = {group.value("priority", std::uint32_t{0})};
    if (group.contains("load_balancing_weight")) {
      endpoints.load_balancing_weight = group.at("load_balancing_weight").get<std::uint32_t>();
    }
    for (const json& endpoint : group.value("lb_endpoints", json::array())) {
      endpoints.lb_endpoints.push_back(read_lb_endpoint(endpoint));
    }
    assignment.endpoints.push_back(std::move(endpoints));
  }
  const json policy = object.value("policy", json::object());
  assignment.overprovisioning_factor = policy.value("overprovisioning_factor", std::uint32_t{140});
  assignment.weighted_priority_health = policy.value("weighted_priority_health", false);
  return assignment;
}

}  // namespace

config::Locality read_locality(const json& locality) {
  if (locality.is_null()) {
    return {};
  }
  return {locality.value("region", std::string()), locality.value("zone", std::string()),
          locality.value("sub_zone", std::string())};
}

config::Runtime read_runtime(const json& layer) {
  config::Runtime runtime;
  if (layer.is_null()) {
    return runtime;
  }
  for (const auto& [key, value] : layer.items()) {
    if (key == "upstream.healthy_panic_threshold") {
      runtime.healthy_panic_threshold = value.get<std::uint64_t>();
    } else if (key == "upstream.zone_routing.enabled") {
      runtime.zone_routing_enabled = value.get<std::uint64_t>();
    } else if (key == "upstream.zone_routing.min_cluster_size") {
      runtime.zone_routing_min_cluster_size = value.get<std::uint64_t>();
    } else if (key == "upstream.zone_routing.force_local_zone.min_size") {
      runtime.force_local_zone_min_size = value.get<std::uint64_t>();
    } else {
      refuse_document("runtime key " + key, value);
    }
  }
  return runtime;
}

namespace {

// The cluster's own fields, in which hash policies find what they have in common in common_lb_config.
void read_lb_policy(const json& object, envoy::Cluster& cluster) {
  const std::string policy = object.value("lb_policy", std::string("ROUND_ROBIN"));
  const json common = object.value("common_lb_config", json::object());
  const auto hashing = [&](const char* field) {
    json config = object.value(field, json::object());
    config["consistent_hashing_lb_config"] = common.value("consistent_hashing_lb_config", json::object());
    return config;
  };
  if (policy == "LEAST_REQUEST") {
    cluster.lb_policy = read_least_request_policy(object.value("least_request_lb_config", json::object()));
  } else if (policy == "RING_HASH") {
    cluster.lb_policy = read_ring_hash(hashing("ring_hash_lb_config"));
  } else if (policy == "MAGLEV") {
    cluster.lb_policy = read_maglev(hashing("maglev_lb_config"));
  } else if (lb_policies.contains(policy)) {
    cluster.lb_policy = lb_policies.at(policy);
  } else if (policy != "CLUSTER_PROVIDED") {
    refuse_document("lb_policy", policy);
  }
  const json subsets = object.value("lb_subset_config", json::object());
  if (!subsets.value("subset_selectors", json::array()).empty()) {
    auto config = read_subset(subsets);
    config.subset_lb_policy = envoy::policies::ChildPolicy(envoy::policies::PolicyConfig{cluster.lb_policy});
    cluster.lb_policy = config;
  }
}

}  // namespace

EnvoyCluster read_cluster(const json& object) {
  EnvoyCluster result;
  envoy::Cluster& cluster = result.cluster;
  cluster.name = object.at("name").get<std::string>();
  cluster.common_lb_config = read_common_lb_config(object.value("common_lb_config", json::object()));
  if (object.contains("cluster_type")) {
    const json& type = object.at("cluster_type");
    if (type.at("name") != "envoy.clusters.aggregate") {
      refuse_document("cluster_type", type);
    }
    cluster.aggregate_clusters = type.at("typed_config").at("clusters").get<std::vector<std::string>>();
    return result;
  }
  if (object.contains("load_balancing_policy")) {
    read_load_balancing_policy(object.at("load_balancing_policy"), cluster);
  } else {
    read_lb_policy(object, cluster);
  }
  result.load_assignment = read_load_assignment(object.value("load_assignment", json::object()));
  return result;
}

}  // namespace spillway::conformance
