#include "models/envoy/refusals.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace spillway::envoy {

namespace {

std::string at_most(const std::string& field, std::uint64_t most) {
  return field + ": value must be less than or equal to " + std::to_string(most);
}

std::string at_least(const std::string& field, std::uint64_t least) {
  return field + ": value must be greater than or equal to " + std::to_string(least);
}

std::string joined(const std::vector<std::string>& names) {
  std::string result;
  for (const std::string& name : names) {
    result += (result.empty() ? "" : ", ") + name;
  }
  return result;
}

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
           "' with names from [" + joined(document.policy_names) + "]";
  }
  return std::nullopt;
}

}  // namespace

Refusal refusal(const policies::ring_hash::Config& config, Form form) {
  if (form == Form::legacy && config.minimum_ring_size > largest_ring_hash_ring) {
    return at_most("MinimumRingSize", largest_ring_hash_ring);
  }
  if (form == Form::legacy && config.maximum_ring_size > largest_ring_hash_ring) {
    return at_most("MaximumRingSize", largest_ring_hash_ring);
  }
  if (config.minimum_ring_size > config.maximum_ring_size) {
    return "ring hash: minimum_ring_size (" + std::to_string(config.minimum_ring_size) + ") > maximum_ring_size (" +
           std::to_string(config.maximum_ring_size) + ")";
  }
  return refusal(config.consistent_hashing_lb_config, form);
}

Refusal refusal(const policies::maglev::Config& config, Form form) {
  if (form == Form::legacy && config.table_size > largest_maglev_table) {
    return at_most("TableSize", largest_maglev_table);
  }
  if (!policies::maglev::is_prime(config.table_size)) {
    return "The table size of maglev must be prime number";
  }
  return refusal(config.consistent_hashing_lb_config, form);
}

Refusal refusal(const policies::least_request::Config& config, Form form) {
  constexpr std::uint32_t least_choices = 2;
  if (form == Form::legacy && config.choice_count < least_choices) {
    return at_least("ChoiceCount", least_choices);
  }
  return std::nullopt;
}

Refusal refusal(const policies::ConsistentHashingLbConfig& config, Form form) {
  constexpr std::uint32_t least_factor = 100;
  if (form == Form::legacy && config.hash_balance_factor != 0 && config.hash_balance_factor < least_factor) {
    return at_least("HashBalanceFactor", least_factor);
  }
  return std::nullopt;
}

Refusal refusal(const policies::subset::Selector& selector) {
  const bool by_keys = selector.fallback_policy == policies::subset::SelectorFallbackPolicy::keys_subset;
  if (!by_keys) {
    return selector.fallback_keys_subset.empty()
               ? std::nullopt
               : Refusal("fallback_keys_subset can be set only for KEYS_SUBSET fallback_policy");
  }
  if (selector.fallback_keys_subset.empty()) {
    return "fallback_keys_subset cannot be empty";
  }
  const auto sorted = [](std::vector<std::string> keys) {
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
  };
  const auto keys = sorted(selector.keys);
  const auto subset = sorted(selector.fallback_keys_subset);
  if (!std::includes(keys.begin(), keys.end(), subset.begin(), subset.end())) {
    return "fallback_keys_subset must be a subset of selector keys";
  }
  return keys == subset ? Refusal("fallback_keys_subset cannot be equal to keys") : std::nullopt;
}

Refusal refusal(const OverrideHostDocument& document) {
  if (document.override_host_sources.empty()) {
    return "OverrideHostSources: value must contain at least 1 item(s)";
  }
  if (!document.has_fallback_policy) {
    return "FallbackPolicy: value is required";
  }
  if (!document.fallback_known) {
    return "dynamic forwarding LB: didn't find a registered fallback load balancer factory with names from " +
           joined(document.fallback_names);
  }
  for (const auto& source : document.override_host_sources) {
    const bool has_header = source.has_header && !source.empty_header;
    if (has_header && source.has_metadata) {
      return "Only one override source must be set";
    }
    if (!has_header && !source.has_metadata) {
      return "Empty override source";
    }
  }
  return std::nullopt;
}

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
