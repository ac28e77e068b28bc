#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "models/envoy/refusals.hpp"
#include "sim/scenario/meaning/pick_policy.hpp"
#include "sim/scenario/meaning/policy_parts.hpp"
#include "sim/scenario/meaning/refused.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::scenario::meaning {
namespace {

using grammar::Field;
using written::AnyMessage;
namespace policies = envoy::policies;

// Typed policies, by what stands behind "envoy.extensions.load_balancing_policies.".
class TypedPolicy {
 public:
  TypedPolicy(const AnyMessage& any, Span where, Diagnostics& problems)
      : any_(any), where_(where), problems_(problems) {}

  // None: it is one that is not supported, or its configuration is wrong; both reported. `known` says whether Envoy has
  // such a policy at all.
  std::optional<PickPolicy> read(bool& known) {
    constexpr std::string_view package = "envoy.extensions.load_balancing_policies.";
    const std::string_view name =
        std::string_view(any_.type).starts_with(package) ? std::string_view(any_.type).substr(package.size()) : "";
    const auto played =
        std::find_if(readers.begin(), readers.end(), [&](const auto& entry) { return entry.first == name; });
    known = played != readers.end() || std::find(not_played.begin(), not_played.end(), name) != not_played.end();
    if (played != readers.end()) {
      PickPolicy policy;
      (this->*played->second)(policy);
      return policy;
    }
    if (known) {
      problems_.push_back(
          error("SP302", in_ticks(any_.type) + " is not supported yet", where_, "is not supported yet"));
    }
    return std::nullopt;
  }

 private:
  using Reader = void (TypedPolicy::*)(PickPolicy&);

  void round_robin(PickPolicy& policy) {
    written::RoundRobin written;
    written::read_any(any_, written, problems_);
    policy.config = policies::round_robin::Config{slow_start_of(written.slow_start_config)};
    take_locality(written.locality_lb_config, policy);
  }

  void random(PickPolicy& policy) {
    written::Random written;
    written::read_any(any_, written, problems_);
    policy.config = policies::random::Config{};
    take_locality(written.locality_lb_config, policy);
  }

  void least_request(PickPolicy& policy) {
    written::LeastRequest written;
    written::read_any(any_, written, problems_);
    policies::least_request::Config config = least_request_of(written);
    take_number(written.selection_method, config.selection_method);
    refuse(envoy::refusal(config, envoy::Form::typed), here("this least request policy"), problems_);
    policy.config = config;
    take_locality(written.locality_lb_config, policy);
  }

  void ring_hash(PickPolicy& policy) {
    written::RingHash written;
    written::read_any(any_, written, problems_);
    policies::ring_hash::Config config;
    take_number(written.minimum_ring_size, config.minimum_ring_size);
    take_number(written.maximum_ring_size, config.maximum_ring_size);
    if (written.hash_function.value_or(0) > 0) {
      config.hash_function = static_cast<policies::ring_hash::HashFunction>(*written.hash_function - 1);
    }
    config.consistent_hashing_lb_config = hashing_of(*written.consistent_hashing_lb_config, problems_);
    if (!written.consistent_hashing_lb_config.present) {
      config.consistent_hashing_lb_config.use_hostname_for_hashing = written.use_hostname_for_hashing.value_or(false);
      take_number(written.hash_balance_factor, config.consistent_hashing_lb_config.hash_balance_factor);
    }
    refuse(envoy::refusal(config, envoy::Form::typed), here("this ring hash policy"), problems_);
    policy.config = config;
    take_locality_weights(written.locality_weighted_lb_config, policy);
  }

  void maglev(PickPolicy& policy) {
    written::Maglev written;
    written::read_any(any_, written, problems_);
    policies::maglev::Config config;
    take_number(written.table_size, config.table_size);
    config.consistent_hashing_lb_config = hashing_of(*written.consistent_hashing_lb_config, problems_);
    refuse(envoy::refusal(config, envoy::Form::typed), here("this maglev policy"), problems_);
    policy.config = config;
    take_locality_weights(written.locality_weighted_lb_config, policy);
  }

  void subset(PickPolicy& policy) {
    written::Subset written;
    written::read_any(any_, written, problems_);
    policies::subset::Config config = subsets_of(written, problems_);
    config.allow_redundant_keys = written.allow_redundant_keys.value_or(false);
    if (written.subset_lb_policy) {
      config.subset_lb_policy = child_of(*written.subset_lb_policy, written.subset_lb_policy.where, policy);
    }
    policy.config = std::move(config);
  }

  void override_host(PickPolicy& policy) {
    written::OverrideHost written;
    written::read_any(any_, written, problems_);
    policies::override_host::Config config;
    envoy::OverrideHostDocument document;
    for (const auto& source : *written.override_host_sources) {
      document.override_host_sources.push_back({.has_header = source->header.present,
                                                .empty_header = source->header.value.empty(),
                                                .has_metadata = source->metadata.present});
      policies::override_host::OverrideHostSource& added = config.override_host_sources.emplace_back();
      added.header = source->header.value_or("");
      if (source->metadata && !source->metadata->path->empty()) {
        added.metadata = source->metadata->path->front()->key.value_or("");
      }
    }
    document.has_fallback_policy = written.fallback_policy.present;
    const PolicyList fallback = read_policy_list(*written.fallback_policy, problems_);
    document.fallback_names = fallback.names;
    document.fallback_known = fallback.known || written.fallback_policy.present != written.fallback_policy.given;
    refuse(envoy::refusal(document), here("this override host policy"), problems_);
    if (fallback.policy) {
      config.fallback_policy = policies::ChildPolicy(policies::PolicyConfig{fallback.policy->config});
      policy.locality = fallback.policy->locality;
    }
    policy.config = std::move(config);
  }

  void client_side_weighted_round_robin(PickPolicy& policy) {
    written::ClientSideWeightedRoundRobin written;
    written::read_any(any_, written, problems_);
    policies::client_side_weighted_round_robin::Config config;
    take_number(written.blackout_period, config.blackout_period);
    take_number(written.weight_expiration_period, config.weight_expiration_period);
    take_number(written.weight_update_period, config.weight_update_period);
    take_number(written.error_utilization_penalty, config.error_utilization_penalty);
    for (const auto& name : *written.metric_names_for_computing_utilization) {
      config.metric_names_for_computing_utilization.push_back(name.value_or(""));
    }
    config.slow_start_config = slow_start_of(written.slow_start_config);
    policy.config = std::move(config);
  }

  // Client-side weighted round robin within the locality that its weight has drawn.
  void wrr_locality(PickPolicy& policy) {
    written::WrrLocality written;
    written::read_any(any_, written, problems_);
    const PolicyList child = read_policy_list(*written.endpoint_picking_policy, problems_);
    const bool fits = child.policy &&
                      std::holds_alternative<policies::client_side_weighted_round_robin::Config>(child.policy->config);
    if (!child.known) {
      refuse(envoy::Refusal("No supported endpoint picking policy."), here("this locality policy"), problems_);
    } else if (child.policy && !fits) {
      refuse(envoy::Refusal("Currently WrrLocalityLoadBalancer only supports ClientSideWeightedRoundRobinLoadBalancer "
                            "as its endpoint picking policy."),
             here("this locality policy"), problems_);
    }
    if (fits) {
      policy.config = child.policy->config;
    }
    policy.locality = config::LocalityWeightedLbConfig{};
  }

  void cluster_provided(PickPolicy& policy) {
    written::ClusterProvided written;
    written::read_any(any_, written, problems_);
    policy.cluster_provided = true;
  }

  policies::ChildPolicy child_of(const written::LoadBalancingPolicy& written, Span where, PickPolicy& policy) {
    const PolicyList list = read_policy_list(written, problems_);
    if (!list.known) {
      problems_.push_back(
          with_note(error("SP130", "no policy that Envoy knows", where, "none of these is known"), "Envoy refuses it"));
    }
    if (!list.policy) {
      return {};
    }
    policy.locality = list.policy->locality;
    return policies::ChildPolicy(policies::PolicyConfig{list.policy->config});
  }

  static void take_locality(const Field<written::LocalityLbConfig>& field, PickPolicy& policy) {
    if (!field) {
      return;
    }
    if (field->locality_weighted_lb_config) {
      policy.locality = config::LocalityWeightedLbConfig{};
    } else {
      policy.locality = typed_zone_aware(*field->zone_aware_lb_config);
    }
  }

  static void take_locality_weights(const Field<written::LocalityWeightedLbConfig>& field, PickPolicy& policy) {
    if (field.present) {
      policy.locality = config::LocalityWeightedLbConfig{};
    }
  }

  static config::ZoneAwareLbConfig typed_zone_aware(const written::TypedZoneAwareLbConfig& written) {
    config::ZoneAwareLbConfig config = read_zone_aware(written);
    if (written.force_local_zone) {
      config.force_local_zone = config::ForceLocalZone{};
      take_number(written.force_local_zone->min_size, config.force_local_zone->min_size);
    } else if (written.force_locality_direct_routing.value_or(false)) {
      config.force_local_zone = config::ForceLocalZone{};
    }
    take_number(written.locality_basis, config.locality_basis);
    return config;
  }

  [[nodiscard]] Refused here(std::string what) const { return {std::move(what), any_.node, where_}; }

  static const std::array<std::pair<std::string_view, Reader>, 10> readers;
  static constexpr std::array not_played = std::to_array<std::string_view>(
      {"dynamic_modules.v3.DynamicModulesLoadBalancerConfig", "load_aware_locality.v3.LoadAwareLocality"});

  const AnyMessage& any_;
  Span where_;
  Diagnostics& problems_;
};

// One line a policy.
const std::array<std::pair<std::string_view, TypedPolicy::Reader>, 10> TypedPolicy::readers = {{
    {"round_robin.v3.RoundRobin", &TypedPolicy::round_robin},
    {"random.v3.Random", &TypedPolicy::random},
    {"least_request.v3.LeastRequest", &TypedPolicy::least_request},
    {"ring_hash.v3.RingHash", &TypedPolicy::ring_hash},
    {"maglev.v3.Maglev", &TypedPolicy::maglev},
    {"subset.v3.Subset", &TypedPolicy::subset},
    {"override_host.v3.OverrideHost", &TypedPolicy::override_host},
    {"client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin",
     &TypedPolicy::client_side_weighted_round_robin},
    {"wrr_locality.v3.WrrLocality", &TypedPolicy::wrr_locality},
    {"cluster_provided.v3.ClusterProvided", &TypedPolicy::cluster_provided},
}};

}  // namespace

PolicyList read_policy_list(const written::LoadBalancingPolicy& written, Diagnostics& problems) {
  PolicyList list;
  Diagnostics unknown_types;
  for (const auto& policy : *written.policies) {
    const auto& extension = policy->typed_extension_config;
    list.names.push_back(extension->name.value_or(""));
    if (list.known) {
      continue;
    }
    if (!extension || !extension->typed_config) {
      list.known = true;  // reported where it could not be read
      continue;
    }
    const AnyMessage& any = *extension->typed_config;
    list.policy = TypedPolicy(any, extension->typed_config.where, problems).read(list.known);
    if (!list.known && any.node->protobuf && any.node->find("@type") != nullptr) {
      unknown_types.push_back(error("SP139", "Envoy refuses this policy", extension->typed_config.where,
                                    "could not find @type " + in_ticks(any.type)));
    }
  }
  // In JSON an Any of a type that Envoy does not know is refused even where a later policy would do.
  if (list.known) {
    problems.insert(problems.end(), unknown_types.begin(), unknown_types.end());
  }
  return list;
}

}  // namespace spillway::scenario::meaning
