#include "models/envoy/refusals.hpp"

#include <limits>
#include <map>
#include <utility>

namespace spillway::envoy {

std::string joined_names(const std::vector<std::string>& names) {
  std::string result;
  for (const std::string& name : names) {
    result += (result.empty() ? "" : ", ") + name;
  }
  return result;
}

namespace {

std::string cluster_type_name(const std::string& type) {
  static const std::map<std::string, std::string> names = {{"STATIC", "envoy.cluster.static"},
                                                           {"STRICT_DNS", "envoy.cluster.strict_dns"},
                                                           {"LOGICAL_DNS", "envoy.cluster.logical_dns"},
                                                           {"ORIGINAL_DST", "envoy.cluster.original_dst"},
                                                           {"EDS", "envoy.cluster.eds"}};
  const auto found = names.find(type);
  return found == names.end() ? type : found->second;
}

Refusal original_dst_refusal(const ClusterDocument& document) {
  if (!document.has_load_balancing_policy && document.lb_policy != "CLUSTER_PROVIDED") {
    return Reason{"cluster: LB policy " + document.lb_policy +
                      " is not valid for Cluster type ORIGINAL_DST. Only 'CLUSTER_PROVIDED' is allowed with cluster "
                      "type 'ORIGINAL_DST'",
                  {"lb_policy", "type"}};
  }
  if (document.has_load_assignment) {
    return Reason{"ORIGINAL_DST clusters must have no load assignment configured", {"load_assignment"}};
  }
  if (!document.http_header_name.empty() && !document.use_http_header) {
    return Reason{"ORIGINAL_DST cluster: invalid config http_header_name=" + document.http_header_name +
                      " and use_http_header is false. Set use_http_header to true if http_header_name is desired.",
                  {"original_dst_lb_config.http_header_name"}};
  }
  return std::nullopt;
}

Refusal typed_policy_refusal(const ClusterDocument& document) {
  if (document.has_lb_subset_config) {
    return Reason{"cluster: load_balancing_policy cannot be combined with lb_subset_config", {"lb_subset_config"}};
  }
  if (document.has_zone_aware_lb_config || document.has_locality_weighted_lb_config ||
      document.has_consistent_hashing_lb_config) {
    return Reason{
        "cluster: load_balancing_policy cannot be combined with partial fields (zone_aware_lb_config, "
        "locality_weighted_lb_config, consistent_hashing_lb_config) of common_lb_config",
        {"common_lb_config.zone_aware_lb_config", "common_lb_config.locality_weighted_lb_config",
         "common_lb_config.consistent_hashing_lb_config"}};
  }
  if (!document.policy_known) {
    return Reason{"cluster: didn't find a registered load balancer factory implementation for cluster: '" +
                      document.name + "' with names from [" + joined_names(document.policy_names) + "]",
                  {"load_balancing_policy"}};
  }
  return std::nullopt;
}

}  // namespace

Refusal refusal(const ClusterDocument& document) {
  if (document.use_hostname_for_hashing && document.type != "STRICT_DNS") {
    return Reason{"Cannot use hostname for consistent hashing loadbalancing for cluster of type: '" +
                      cluster_type_name(document.type) + "'",
                  {"common_lb_config.consistent_hashing_lb_config.use_hostname_for_hashing"}};
  }
  if (document.has_load_balancing_policy) {
    if (auto refused = typed_policy_refusal(document)) {
      return refused;
    }
  } else if (document.has_lb_subset_config && document.lb_policy == "CLUSTER_PROVIDED") {
    return Reason{"cluster: LB policy CLUSTER_PROVIDED cannot be combined with lb_subset_config", {"lb_subset_config"}};
  } else if (document.has_lb_subset_config && document.locality_weight_aware &&
             !document.has_locality_weighted_lb_config) {
    return Reason{
        "Locality weight aware subset LB requires that a locality_weighted_lb_config be set in " + document.name,
        {"lb_subset_config.locality_weight_aware"}};
  }
  if (document.type == "ORIGINAL_DST") {
    return original_dst_refusal(document);
  }
  if (!document.has_load_balancing_policy && document.lb_policy == "CLUSTER_PROVIDED" && !document.type.empty()) {
    return Reason{"cluster manager: cluster provided LB specified but cluster '" + document.name +
                      "' did not provide one. Check cluster documentation.",
                  {"lb_policy"}};
  }
  return std::nullopt;
}

Refusal refusal(const WeightSums& priority) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (priority.host_weights > most) {
    return Reason{"The sum of weights of all upstream hosts in a locality exceeds " + std::to_string(most)};
  }
  return priority.locality_weights > most
             ? Refusal(
                   Reason{"The sum of weights of all localities at the same priority exceeds " + std::to_string(most)})
             : std::nullopt;
}

Refusal refusal(const config::ClusterLoadAssignment& assignment, bool hashing) {
  constexpr std::uint32_t last_priority = 128;
  if (assignment.overprovisioning_factor == 0) {
    return config::out_of_bounds("", "overprovisioning_factor", "value must be greater than 0");
  }
  std::map<config::Priority, WeightSums> sums;
  std::map<std::pair<config::Priority, config::Locality>, std::uint64_t> locality_weights;
  for (const auto& group : assignment.endpoints) {
    if (group.priority.value > last_priority) {
      return at_most("priority", last_priority);
    }
    if (group.load_balancing_weight == 0U) {
      return at_least("load_balancing_weight", 1);
    }
    WeightSums& priority = sums[group.priority];
    if (group.load_balancing_weight) {
      locality_weights[{group.priority, group.locality}] = *group.load_balancing_weight;
    }
    for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
      if (endpoint.load_balancing_weight == 0) {
        return at_least("load_balancing_weight", 1);
      }
      priority.host_weights += endpoint.load_balancing_weight;
    }
  }
  for (const auto& [locality, weight] : locality_weights) {
    sums[locality.first].locality_weights += weight;
  }
  for (const auto& [priority, of_priority] : sums) {
    if (auto refused = hashing ? refusal(of_priority) : std::nullopt) {
      return refused;
    }
  }
  return std::nullopt;
}

Refusal refusal(SessionState state, const std::string& name) {
  if (!name.empty()) {
    return std::nullopt;
  }
  constexpr const char* words = "value length must be at least 1 characters";
  return state == SessionState::header ? config::out_of_bounds("HeaderBasedSessionState", "name", words)
                                       : config::within("cookie", config::out_of_bounds("Cookie", "name", words));
}

}  // namespace spillway::envoy
