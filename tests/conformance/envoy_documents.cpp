#include "tests/conformance/envoy_documents.hpp"

#include <stdexcept>
#include <utility>

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

[[noreturn]] void refuse(const std::string& what, const json& value) {
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
      refuse("zone_aware_lb_config." + key, value);
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
    } else if (!read_locality_lb(key, value, common.locality_config_specifier)) {
      refuse("common_lb_config." + key, value);
    }
  }
  return common;
}

envoy::policies::Config read_least_request(const json& object) {
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
      refuse("least_request." + key, value);
    }
  }
  return policy;
}

// A policy extension brings its own way to treat localities; common_lb_config's is not looked at then.
void read_load_balancing_policy(const json& object, envoy::Cluster& cluster) {
  const json& config = object.at("policies").at(0).at("typed_extension_config").at("typed_config");
  const std::string type = config.at("@type").get<std::string>();
  const auto ends_with = [&type](const char* name) { return type.ends_with(name); };
  if (ends_with(".RoundRobin")) {
    cluster.lb_policy = envoy::policies::round_robin::Config{};
  } else if (ends_with(".Random")) {
    cluster.lb_policy = envoy::policies::random::Config{};
  } else if (ends_with(".LeastRequest")) {
    cluster.lb_policy = read_least_request(config);
  } else {
    refuse("load_balancing_policy", config);
  }
  cluster.common_lb_config.locality_config_specifier = {};
  const json locality = config.value("locality_lb_config", json::object());
  for (const auto& [key, value] : locality.items()) {
    if (!read_locality_lb(key, value, cluster.common_lb_config.locality_config_specifier)) {
      refuse("locality_lb_config." + key, value);
    }
  }
}

config::LbEndpoint read_endpoint(const json& object) {
  const json& socket = object.at("endpoint").at("address").at("socket_address");
  config::LbEndpoint endpoint;
  endpoint.address = socket.at("address").get<std::string>() + ":" + std::to_string(socket.at("port_value").get<int>());
  endpoint.health_status = health_statuses.at(object.value("health_status", std::string("UNKNOWN")));
  endpoint.load_balancing_weight = object.value("load_balancing_weight", std::uint32_t{1});
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
      endpoints.lb_endpoints.push_back(read_endpoint(endpoint));
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
      refuse("runtime key " + key, value);
    }
  }
  return runtime;
}

EnvoyCluster read_cluster(const json& object) {
  EnvoyCluster result;
  envoy::Cluster& cluster = result.cluster;
  cluster.name = object.at("name").get<std::string>();
  cluster.common_lb_config = read_common_lb_config(object.value("common_lb_config", json::object()));
  if (object.contains("cluster_type")) {
    const json& type = object.at("cluster_type");
    if (type.at("name") != "envoy.clusters.aggregate") {
      refuse("cluster_type", type);
    }
    cluster.aggregate_clusters = type.at("typed_config").at("clusters").get<std::vector<std::string>>();
    return result;
  }
  if (object.contains("load_balancing_policy")) {
    read_load_balancing_policy(object.at("load_balancing_policy"), cluster);
  } else {
    const std::string policy = object.value("lb_policy", std::string("ROUND_ROBIN"));
    if (!lb_policies.contains(policy)) {
      refuse("lb_policy", policy);
    }
    cluster.lb_policy = lb_policies.at(policy);
    if (policy == "LEAST_REQUEST") {
      cluster.lb_policy = read_least_request(object.value("least_request_lb_config", json::object()));
    }
  }
  result.load_assignment = read_load_assignment(object.value("load_assignment", json::object()));
  return result;
}

}  // namespace spillway::conformance
