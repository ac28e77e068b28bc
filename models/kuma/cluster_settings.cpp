#include "models/kuma/cluster_settings.hpp"

#include <algorithm>
#include <string>

#include "models/config/lower_ascii.hpp"
#include "models/kuma/decimal.hpp"

namespace spillway::kuma {

namespace {

LeastRequestLbConfig least_request_config(const LeastRequest& conf) {
  LeastRequestLbConfig config;
  config.choice_count = conf.choiceCount;
  if (conf.activeRequestBias) {
    if (const auto bias = parse_decimal(*conf.activeRequestBias)) {
      config.active_request_bias = bias->value;
    }
  }
  return config;
}

RingHashLbConfig ring_hash_config(const RingHash& conf) {
  RingHashLbConfig config;
  config.minimum_ring_size = conf.minRingSize;
  config.maximum_ring_size = conf.maxRingSize;
  if (conf.hashFunction) {
    config.hash_function = conf.hashFunction == "MurmurHash2" ? HashFunction::murmur_hash_2 : HashFunction::xx_hash;
  }
  return config;
}

// Applies the balancer. A body counts only if it belongs to the type.
void apply(const LoadBalancer& balancer, ClusterSettings& settings) {
  const std::string_view type = value_of(balancer.type);
  if (type == "LeastRequest") {
    settings.lb_policy = LbPolicy::least_request;
    if (balancer.leastRequest) {
      settings.least_request_lb_config = least_request_config(*balancer.leastRequest);
    }
  } else if (type == "RingHash") {
    settings.lb_policy = LbPolicy::ring_hash;
    if (balancer.ringHash) {
      settings.ring_hash_lb_config = ring_hash_config(*balancer.ringHash);
    }
  } else if (type == "Maglev") {
    settings.lb_policy = LbPolicy::maglev;
    if (balancer.maglev) {
      settings.maglev_lb_config = MaglevLbConfig{balancer.maglev->tableSize};
    }
  } else if (type == "Random") {
    settings.lb_policy = LbPolicy::random;
  }
}

bool has_affinity_tags(const Conf& conf) {
  return conf.localityAwareness && conf.localityAwareness->localZone &&
         conf.localityAwareness->localZone->affinityTags && !conf.localityAwareness->localZone->affinityTags->empty();
}

bool has_name(const Tags& given, const std::optional<std::string>& name) {
  return name && given.contains(*name);
}

bool makes_hash(const HashPolicy& policy, const HashedRequest& request) {
  const std::string_view type = value_of(policy.type);
  if (type == "Header") {
    return policy.header && policy.header->name &&
           request.headers.contains(config::to_lower_ascii(*policy.header->name));
  }
  if (type == "Cookie") {
    return policy.cookie && (has_name(request.cookies, policy.cookie->name) || policy.cookie->ttl);
  }
  if (type == "Connection" || type == "SourceIP") {
    return policy.connection && policy.connection->sourceIP.value_or(false) && request.has_source_ip;
  }
  if (type == "QueryParameter") {
    return policy.queryParameter && has_name(request.query_parameters, policy.queryParameter->name);
  }
  return type == "FilterState" && policy.filterState && has_name(request.filter_state, policy.filterState->key);
}

}  // namespace

std::string_view envoy_name(LbPolicy policy) {
  switch (policy) {
    case LbPolicy::round_robin:
      break;
    case LbPolicy::least_request:
      return "LEAST_REQUEST";
    case LbPolicy::ring_hash:
      return "RING_HASH";
    case LbPolicy::random:
      return "RANDOM";
    case LbPolicy::maglev:
      return "MAGLEV";
  }
  return "ROUND_ROBIN";
}

ClusterSettings cluster_settings(const std::optional<Conf>& conf, const Client& client, DestinationModel destination) {
  ClusterSettings settings;
  const bool of_mesh_on_egress =
      client.role == ProxyRole::zone_egress && destination != DestinationModel::mesh_external_service;
  if (!conf || of_mesh_on_egress) {
    return settings;
  }
  settings.locality_weighted = client.role != ProxyRole::zone_proxy_egress && has_affinity_tags(*conf);
  if (conf->loadBalancer) {
    apply(*conf->loadBalancer, settings);
  }
  return settings;
}

std::optional<std::vector<HashPolicy>> hash_policies(const Conf& conf, config::KumaProfile profile) {
  if (conf.hashPolicies || !conf.loadBalancer || profile == config::KumaProfile::head) {
    return conf.hashPolicies;
  }
  const LoadBalancer& balancer = *conf.loadBalancer;
  if (balancer.type == "RingHash" && balancer.ringHash) {
    return balancer.ringHash->hashPolicies;
  }
  if (balancer.type == "Maglev" && balancer.maglev) {
    return balancer.maglev->hashPolicies;
  }
  return std::nullopt;
}

std::optional<std::vector<HashPolicy>> hash_policies(std::span<const std::optional<Conf>> most_specific,
                                                     config::KumaProfile profile) {
  const auto found = std::find_if(most_specific.begin(), most_specific.end(),
                                  [](const std::optional<Conf>& conf) { return conf.has_value(); });
  return found == most_specific.end() ? std::nullopt : hash_policies(**found, profile);
}

bool makes_hash(std::span<const HashPolicy> policies, const HashedRequest& request) {
  return std::any_of(policies.begin(), policies.end(),
                     [&request](const HashPolicy& policy) { return makes_hash(policy, request); });
}

}  // namespace spillway::kuma
