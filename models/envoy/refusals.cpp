#include "models/envoy/refusals.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace spillway::envoy {

std::string at_most(const std::string& field, std::uint64_t most) {
  return field + ": value must be less than or equal to " + std::to_string(most);
}

std::string at_least(const std::string& field, std::uint64_t least) {
  return field + ": value must be greater than or equal to " + std::to_string(least);
}

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
    return "cluster: LB policy " + document.lb_policy +
           " is not valid for Cluster type ORIGINAL_DST. Only 'CLUSTER_PROVIDED' is allowed with cluster type "
           "'ORIGINAL_DST'";
  }
  if (document.has_load_assignment) {
    return "ORIGINAL_DST clusters must have no load assignment configured";
  }
  if (!document.http_header_name.empty() && !document.use_http_header) {
    return "ORIGINAL_DST cluster: invalid config http_header_name=" + document.http_header_name +
           " and use_http_header is false. Set use_http_header to true if http_header_name is desired.";
  }
  return std::nullopt;
}

Refusal typed_policy_refusal(const ClusterDocument& document) {
  if (document.has_lb_subset_config) {
    return "cluster: load_balancing_policy cannot be combined with lb_subset_config";
  }
  if (document.has_zone_aware_lb_config || document.has_locality_weighted_lb_config ||
      document.has_consistent_hashing_lb_config) {
    return "cluster: load_balancing_policy cannot be combined with partial fields (zone_aware_lb_config, "
           "locality_weighted_lb_config, consistent_hashing_lb_config) of common_lb_config";
  }
  if (!document.policy_known) {
    return "cluster: didn't find a registered load balancer factory implementation for cluster: '" + document.name +
           "' with names from [" + joined_names(document.policy_names) + "]";
  }
  return std::nullopt;
}

}  // namespace

Refusal refusal(const ClusterDocument& document) {
  if (document.use_hostname_for_hashing && document.type != "STRICT_DNS") {
    return "Cannot use hostname for consistent hashing loadbalancing for cluster of type: '" +
           cluster_type_name(document.type) + "'";
  }
  if (document.has_load_balancing_policy) {
    if (auto refused = typed_policy_refusal(document)) {
      return refused;
    }
  } else if (document.has_lb_subset_config && document.lb_policy == "CLUSTER_PROVIDED") {
    return "cluster: LB policy CLUSTER_PROVIDED cannot be combined with lb_subset_config";
  } else if (document.has_lb_subset_config && document.locality_weight_aware &&
             !document.has_locality_weighted_lb_config) {
    return "Locality weight aware subset LB requires that a locality_weighted_lb_config be set in " + document.name;
  }
  if (document.type == "ORIGINAL_DST") {
    return original_dst_refusal(document);
  }
  if (!document.has_load_balancing_policy && document.lb_policy == "CLUSTER_PROVIDED" && !document.type.empty()) {
    return "cluster manager: cluster provided LB specified but cluster '" + document.name +
           "' did not provide one. Check cluster documentation.";
  }
  return std::nullopt;
}

Refusal refusal(const WeightSums& priority) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (priority.host_weights > most) {
    return "The sum of weights of all upstream hosts in a locality exceeds " + std::to_string(most);
  }
  return priority.locality_weights > most
             ? Refusal("The sum of weights of all localities at the same priority exceeds " + std::to_string(most))
             : std::nullopt;
}

Refusal refusal(const config::ClusterLoadAssignment& assignment, bool hashing) {
  constexpr std::uint32_t last_priority = 128;
  if (assignment.overprovisioning_factor == 0) {
    return "OverprovisioningFactor: value must be greater than 0";
  }
  std::map<config::Priority, WeightSums> sums;
  std::map<std::pair<config::Priority, config::Locality>, std::uint64_t> locality_weights;
  for (const auto& group : assignment.endpoints) {
    if (group.priority.value > last_priority) {
      return at_most("Priority", last_priority);
    }
    if (group.load_balancing_weight == 0U) {
      return at_least("LoadBalancingWeight", 1);
    }
    WeightSums& priority = sums[group.priority];
    if (group.load_balancing_weight) {
      locality_weights[{group.priority, group.locality}] = *group.load_balancing_weight;
    }
    for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
      if (endpoint.load_balancing_weight == 0) {
        return at_least("LoadBalancingWeight", 1);
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
  return state == SessionState::header
             ? "HeaderBasedSessionStateValidationError.Name: value length must be at least 1 characters"
             : "CookieValidationError.Name: value length must be at least 1 characters";
}

}  // namespace spillway::envoy
