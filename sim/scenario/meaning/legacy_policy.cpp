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

policies::ring_hash::Config ring_hash_of(const written::Cluster& cluster) {
  const written::RingHashLbConfig& written = *cluster.ring_hash_lb_config;
  policies::ring_hash::Config config;
  take_number(written.minimum_ring_size, config.minimum_ring_size);
  take_number(written.maximum_ring_size, config.maximum_ring_size);
  if (written.hash_function) {
    config.hash_function = static_cast<policies::ring_hash::HashFunction>(*written.hash_function);
  }
  config.consistent_hashing_lb_config = hashing_of(*cluster.common_lb_config->consistent_hashing_lb_config);
  return config;
}

policies::maglev::Config maglev_of(const written::Cluster& cluster) {
  policies::maglev::Config config;
  take_number(cluster.maglev_lb_config->table_size, config.table_size);
  config.consistent_hashing_lb_config = hashing_of(*cluster.common_lb_config->consistent_hashing_lb_config);
  return config;
}

// Bounds of the proto fields hold whether the policy is used or not; everything else is looked at when it is made.
void refuse_settings(const envoy::Refusal& reason, bool used, const Refused& refused, Diagnostics& problems) {
  if (reason && (used || reason->find(": value must be ") != std::string::npos)) {
    refuse(reason, refused, problems);
  }
}

void refuse_legacy_settings(const written::Cluster& cluster, std::string_view policy, Diagnostics& problems) {
  using envoy::Form;
  if (const auto& field = cluster.least_request_lb_config) {
    refuse_settings(envoy::refusal(least_request_of(*field), Form::legacy), policy == "LEAST_REQUEST",
                    {"`least_request_lb_config`", field->source.object, field.where}, problems);
  }
  if (const auto& field = cluster.ring_hash_lb_config) {
    policies::ring_hash::Config ring = ring_hash_of(cluster);
    ring.consistent_hashing_lb_config = {};
    refuse_settings(envoy::refusal(ring, Form::legacy), policy == "RING_HASH",
                    {"`ring_hash_lb_config`", field->source.object, field.where}, problems);
  }
  if (const auto& field = cluster.maglev_lb_config) {
    policies::maglev::Config table = maglev_of(cluster);
    table.consistent_hashing_lb_config = {};
    refuse_settings(envoy::refusal(table, Form::legacy), policy == "MAGLEV",
                    {"`maglev_lb_config`", field->source.object, field.where}, problems);
  }
  if (const auto& field = cluster.common_lb_config->consistent_hashing_lb_config) {
    refuse_settings(envoy::refusal(hashing_of(*field), Form::legacy), true,
                    {"`consistent_hashing_lb_config`", field->source.object, field.where}, problems);
  }
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
    policy.config = least_request_of(*cluster.least_request_lb_config);
  } else if (name == "RING_HASH") {
    policy.config = ring_hash_of(cluster);
  } else if (name == "MAGLEV") {
    policy.config = maglev_of(cluster);
  } else if (name == "RANDOM") {
    policy.config = policies::random::Config{};
  } else {
    policy.config = policies::round_robin::Config{slow_start_of(cluster.round_robin_lb_config->slow_start_config)};
  }
  policy.cluster_provided = name == "CLUSTER_PROVIDED";
  const std::string_view used = cluster.load_balancing_policy.present ? "a typed policy" : std::string_view(name);
  refuse_legacy_settings(cluster, used, problems);
  if (cluster.lb_policy.present == cluster.lb_policy.given) {
    warn_of_idle_settings(cluster, used, problems);
  }
  if (cluster.lb_subset_config) {
    policies::subset::Config subsets = subsets_of(*cluster.lb_subset_config, problems);
    if (!subsets.subset_selectors.empty()) {
      subsets.subset_lb_policy = policies::ChildPolicy(policies::PolicyConfig{policy.config});
      policy.config = std::move(subsets);
    }
  }
  return policy;
}

}  // namespace spillway::scenario::meaning
