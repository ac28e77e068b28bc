#include <array>
#include <string_view>
#include <tuple>
#include <utility>

#include "models/envoy/refusals.hpp"
#include "sim/scenario/meaning/pick_policy.hpp"
#include "sim/scenario/meaning/policy_parts.hpp"
#include "sim/scenario/meaning/refused.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::scenario::meaning {
namespace {

namespace policies = envoy::policies;

// Of a hash policy, with what the cluster says of hashing.
template <class Config>
Config hash_policy_of(Config config, const written::Cluster& cluster) {
  config.consistent_hashing_lb_config = *cluster.common_lb_config->consistent_hashing_lb_config;
  return config;
}

// Bounds of the proto fields hold whether the policy is used or not; everything else is looked at when it is made.
void refuse_settings(const envoy::Refusal& reason, bool used, const Refused& refused, Diagnostics& problems) {
  if (reason && (used || reason->find(": value must be ") != std::string::npos)) {
    refuse(reason, refused, problems);
  }
}

void refuse_legacy_settings(const written::Cluster& cluster, std::string_view policy, Diagnostics& problems) {
  const auto refuse_field = [&](const auto& field, const char* name, bool used) {
    if (field) {
      refuse_settings(envoy::refusal(*field, envoy::Form::legacy), used,
                      {in_ticks(name), field->source.object, field.where}, problems);
    }
  };
  refuse_field(cluster.least_request_lb_config, "least_request_lb_config", policy == "LEAST_REQUEST");
  refuse_field(cluster.ring_hash_lb_config, "ring_hash_lb_config", policy == "RING_HASH");
  refuse_field(cluster.maglev_lb_config, "maglev_lb_config", policy == "MAGLEV");
  refuse_field(cluster.common_lb_config->consistent_hashing_lb_config, "consistent_hashing_lb_config", true);
}

// Settings of a policy that is not the cluster's say nothing.
void warn_of_idle_settings(const written::Cluster& cluster, std::string_view policy, Diagnostics& problems) {
  const std::array settings = {
      std::tuple("ROUND_ROBIN", cluster.round_robin_lb_config.present, cluster.round_robin_lb_config.key),
      std::tuple("LEAST_REQUEST", cluster.least_request_lb_config.present, cluster.least_request_lb_config.key),
      std::tuple("RING_HASH", cluster.ring_hash_lb_config.present, cluster.ring_hash_lb_config.key),
      std::tuple("ORIGINAL_DST", cluster.original_dst_lb_config.present, cluster.original_dst_lb_config.key),
      std::tuple("MAGLEV", cluster.maglev_lb_config.present, cluster.maglev_lb_config.key),
  };
  for (const auto& [name, present, key] : settings) {
    const bool original_dst = cluster.type && written::Cluster::types[*cluster.type] == name;
    if (present && policy != name && !original_dst) {
      problems.push_back(
          warning("SP206", "settings of another policy than the cluster's", key, "are those of " + std::string(name)));
    }
  }
}

}  // namespace

PickPolicy read_legacy_policy(const written::Cluster& cluster, Diagnostics& problems) {
  PickPolicy policy;
  const std::string& name = written::Cluster::lb_policies[cluster.lb_policy.value_or(0)];
  if (name == "LEAST_REQUEST") {
    policy.config = static_cast<const policies::least_request::Config&>(*cluster.least_request_lb_config);
  } else if (name == "RING_HASH") {
    policy.config = hash_policy_of<policies::ring_hash::Config>(*cluster.ring_hash_lb_config, cluster);
  } else if (name == "MAGLEV") {
    policy.config = hash_policy_of<policies::maglev::Config>(*cluster.maglev_lb_config, cluster);
  } else if (name == "RANDOM") {
    policy.config = policies::random::Config{};
  } else {
    policy.config = *cluster.round_robin_lb_config;
  }
  policy.cluster_provided = name == "CLUSTER_PROVIDED";
  const std::string_view used = cluster.load_balancing_policy.present ? "a typed policy" : std::string_view(name);
  refuse_legacy_settings(cluster, used, problems);
  if (cluster.lb_policy.present == cluster.lb_policy.given) {
    warn_of_idle_settings(cluster, used, problems);
  }
  if (cluster.lb_subset_config) {
    refuse_selectors(*cluster.lb_subset_config, cluster.lb_subset_config->source, problems);
    policies::subset::Config subsets = *cluster.lb_subset_config;
    if (!subsets.subset_selectors.empty()) {
      subsets.subset_lb_policy = policies::ChildPolicy(policies::PolicyConfig{policy.config});
      policy.config = std::move(subsets);
    }
  }
  return policy;
}

}  // namespace spillway::scenario::meaning
