#include <string_view>
#include <tuple>
#include <utility>

#include "models/documents/problem.hpp"
#include "models/envoy/api/cluster.hpp"
#include "models/envoy/api/pick_policies.hpp"
#include "models/envoy/api/refused.hpp"
#include "models/envoy/policies/registry.hpp"
#include "models/envoy/proxy/pick_policy.hpp"

namespace spillway::proxy {
namespace {

namespace policies = envoy::policies;

// Reports a refusal. Constraints of the .proto files apply even if the policy is not used; Envoy's code checks the rest
// only when it creates the policy.
void refuse_settings(const envoy::Refusal& refusal, bool used, const messages::Refused& refused,
                     Diagnostics& problems) {
  if (refusal && (used || refusal->of_proto)) {
    refuse(refusal, refused, problems);
  }
}

void refuse_legacy_settings(const messages::Cluster& cluster, std::string_view policy, Diagnostics& problems) {
  const auto refuse_field = [&](const auto& field, const char* name, const envoy::Refusal& reason, bool used) {
    refuse_settings(reason, used, {in_ticks(name), field->source.object, field.where}, problems);
  };
  policies::for_each_policy([&]<class Policy>() {
    if constexpr (policies::HasField<Policy> && requires { Policy::refusal; }) {
      if (const auto& field = cluster.settings->of<Policy>()) {
        refuse_field(field, Policy::settings.field, Policy::refusal(*field, envoy::Form::legacy),
                     policy == Policy::settings.lb_policy);
      }
    }
    if constexpr (policies::HasField<Policy> &&
                  requires(typename Policy::Config config) { config.slow_start_config; }) {
      if (const auto& field = cluster.settings->of<Policy>()) {
        refuse_field(field, Policy::settings.field,
                     config::within("slow_start_config", refusal(field->slow_start_config)), true);
      }
    }
  });
  if (const auto& hashing = cluster.consistent_hashing_lb_config) {
    const messages::Source source = cluster.source.within("common_lb_config").within("consistent_hashing_lb_config");
    refuse_settings(policies::refusal(*hashing, envoy::Form::legacy), true,
                    {"`consistent_hashing_lb_config`", source.object, source.object->span}, problems);
  }
}

// Warns of settings that belong to another policy than the cluster's and have no effect.
void warn_of_idle_settings(const messages::Cluster& cluster, std::string_view policy, Diagnostics& problems) {
  const auto warn = [&](const auto& field, const char* name) {
    const bool by_type = cluster.type && messages::Cluster::types[*cluster.type] == name;
    if (field.present && policy != name && !by_type) {
      problems.warning("SP206", field.key, "settings of another policy than the cluster's", "are those of {}", {name});
    }
  };
  policies::for_each_policy([&]<class Policy>() {
    if constexpr (policies::HasField<Policy> && policies::HasLbPolicy<Policy>) {
      warn(cluster.settings->of<Policy>(), Policy::settings.lb_policy);
    }
  });
  warn(cluster.original_dst_lb_config, "ORIGINAL_DST");
}

// Returns the policy of an lb_policy. A hash policy includes the cluster's hash settings. A name without a policy of
// its own gives round robin, Envoy's default.
policies::Config policy_named(std::string_view lb_policy, const messages::Cluster& cluster) {
  policies::Config found = *cluster.settings->of<std::tuple_element_t<0, policies::Policies>>();
  policies::for_each_policy([&]<class Policy>() {
    if constexpr (policies::HasLbPolicy<Policy>) {
      if (lb_policy != Policy::settings.lb_policy) {
        return;
      }
      typename Policy::Config config;
      if constexpr (policies::HasField<Policy>) {
        config = *cluster.settings->of<Policy>();
      }
      if constexpr (requires { config.consistent_hashing_lb_config; }) {
        config.consistent_hashing_lb_config =
            cluster.consistent_hashing_lb_config.value_or(policies::ConsistentHashingLbConfig{});
      }
      found = std::move(config);
    }
  });
  return found;
}

// Wraps the policy in the outer policy of this field, if the field is not empty (subsets).
template <class Policy>
void put_around(PickPolicy& policy, const messages::Cluster& cluster) {
  if (const auto& field = cluster.settings->of<Policy>()) {
    typename Policy::Config config = *field;
    if (!(config.*Policy::parts).empty()) {
      Policy::child(config) = policies::ChildPolicy(policies::PolicyConfig{policy.config});
      policy.config = std::move(config);
    }
  }
}

}  // namespace

PickPolicy read_legacy_policy(const messages::Cluster& cluster, Diagnostics& problems) {
  PickPolicy policy;
  const std::string& name = messages::Cluster::lb_policies[cluster.lb_policy.value_or(0)];
  policy.config = policy_named(name, cluster);
  policy.cluster_provided = name == "CLUSTER_PROVIDED";
  const std::string_view used = cluster.load_balancing_policy.present ? "a typed policy" : std::string_view(name);
  refuse_legacy_settings(cluster, used, problems);
  if (cluster.lb_policy.present == cluster.lb_policy.given) {
    warn_of_idle_settings(cluster, used, problems);
  }
  policies::for_each_policy([&]<class Policy>() {
    if constexpr (policies::HasField<Policy> && policies::HoldsPolicy<Policy>) {
      put_around<Policy>(policy, cluster);
    }
  });
  return policy;
}

}  // namespace spillway::proxy
