#include "reports/envoy/policies.hpp"

#include <array>
#include <string>
#include <utility>
#include <variant>

#include "reports/envoy/routes.hpp"

namespace spillway::reports::envoy_export {
namespace {

namespace policies = envoy::policies;
using Locality = config::LocalityConfigSpecifier;

constexpr const char* policy_package = "envoy.extensions.load_balancing_policies.";

Json zone_aware_json(const config::ZoneAwareLbConfig& config) {
  Json json = {{"routing_enabled", percent_json(config.routing_enabled)},
               {"min_cluster_size", config.min_cluster_size},
               {"fail_traffic_on_panic", config.fail_traffic_on_panic}};
  if (config.force_local_zone) {
    json["force_local_zone"] = {{"min_size", config.force_local_zone->min_size}};
  }
  if (config.locality_basis == config::LocalityBasis::healthy_hosts_weight) {
    json["locality_basis"] = "HEALTHY_HOSTS_WEIGHT";
  }
  return json;
}

Json locality_lb_config_json(const Locality& locality) {
  if (const auto* zone_aware = std::get_if<config::ZoneAwareLbConfig>(&locality)) {
    return {{"zone_aware_lb_config", zone_aware_json(*zone_aware)}};
  }
  return {{"locality_weighted_lb_config", Json::object()}};
}

// Nothing said is nothing written: a policy with a slow start keeps its hosts in a schedule.
void add_slow_start(Json& json, const config::SlowStartConfig& config) {
  if (config == config::SlowStartConfig{}) {
    return;
  }
  json["slow_start_config"] = {{"slow_start_window", duration_json(config.slow_start_window)},
                               {"aggression", runtime_double_json(config.aggression)},
                               {"min_weight_percent", percent_json(config.min_weight_percent)}};
}

Json consistent_hashing_json(const policies::ConsistentHashingLbConfig& config) {
  Json json = {{"use_hostname_for_hashing", config.use_hostname_for_hashing}};
  if (config.hash_balance_factor != 0) {
    json["hash_balance_factor"] = config.hash_balance_factor;
  }
  if (!config.hash_policy.empty()) {
    json["hash_policy"] = hash_policies_json(config.hash_policy);
  }
  return json;
}

// A hash policy knows localities by weight or not at all.
void add_locality_weights(Json& json, const Locality& locality) {
  if (std::holds_alternative<config::LocalityWeightedLbConfig>(locality)) {
    json["locality_weighted_lb_config"] = Json::object();
  }
}

struct Typed {
  const char* type;  // below policy_package
  Json message;
};

Json policy_list_json(const std::string& type, Json message) {
  const std::string name = "envoy.load_balancing_policies." + type.substr(0, type.find('.'));
  return {
      {"policies",
       Json::array({{{"typed_extension_config", extension_json(name, policy_package + type, std::move(message))}}})}};
}

Typed typed(const policies::round_robin::Config& config, const Locality& locality) {
  Json json = {{"locality_lb_config", locality_lb_config_json(locality)}};
  add_slow_start(json, config.slow_start_config);
  return {"round_robin.v3.RoundRobin", std::move(json)};
}

Typed typed(const policies::random::Config& /*config*/, const Locality& locality) {
  return {"random.v3.Random", {{"locality_lb_config", locality_lb_config_json(locality)}}};
}

Typed typed(const policies::least_request::Config& config, const Locality& locality) {
  Json json = {{"choice_count", config.choice_count},
               {"active_request_bias", runtime_double_json(config.active_request_bias)},
               {"locality_lb_config", locality_lb_config_json(locality)}};
  if (config.selection_method == policies::least_request::SelectionMethod::full_scan) {
    json["selection_method"] = "FULL_SCAN";
  }
  add_slow_start(json, config.slow_start_config);
  return {"least_request.v3.LeastRequest", std::move(json)};
}

Typed typed(const policies::ring_hash::Config& config, const Locality& locality) {
  Json json = {{"minimum_ring_size", config.minimum_ring_size},
               {"maximum_ring_size", config.maximum_ring_size},
               {"consistent_hashing_lb_config", consistent_hashing_json(config.consistent_hashing_lb_config)}};
  if (config.hash_function) {
    json["hash_function"] =
        *config.hash_function == policies::ring_hash::HashFunction::xx_hash ? "XX_HASH" : "MURMUR_HASH_2";
  }
  add_locality_weights(json, locality);
  return {"ring_hash.v3.RingHash", std::move(json)};
}

Typed typed(const policies::maglev::Config& config, const Locality& locality) {
  Json json = {{"table_size", config.table_size},
               {"consistent_hashing_lb_config", consistent_hashing_json(config.consistent_hashing_lb_config)}};
  add_locality_weights(json, locality);
  return {"maglev.v3.Maglev", std::move(json)};
}

Json selector_json(const policies::subset::Selector& selector) {
  static constexpr std::array<const char*, 5> names = {"NOT_DEFINED", "NO_FALLBACK", "ANY_ENDPOINT", "DEFAULT_SUBSET",
                                                       "KEYS_SUBSET"};
  Json json = {{"keys", selector.keys},
               {"single_host_per_subset", selector.single_host_per_subset},
               {"fallback_policy", names[static_cast<std::size_t>(selector.fallback_policy)]}};
  if (!selector.fallback_keys_subset.empty()) {
    json["fallback_keys_subset"] = selector.fallback_keys_subset;
  }
  return json;
}

Typed typed(const policies::subset::Config& config, const Locality& locality) {
  static constexpr std::array<const char*, 3> fallbacks = {"NO_FALLBACK", "ANY_ENDPOINT", "DEFAULT_SUBSET"};
  Json selectors = Json::array();
  for (const policies::subset::Selector& selector : config.subset_selectors) {
    selectors.push_back(selector_json(selector));
  }
  Json json = {{"fallback_policy", fallbacks[static_cast<std::size_t>(config.fallback_policy)]},
               {"subset_selectors", std::move(selectors)},
               {"locality_weight_aware", config.locality_weight_aware},
               {"scale_locality_weight", config.scale_locality_weight},
               {"panic_mode_any", config.panic_mode_any},
               {"list_as_any", config.list_as_any},
               {"allow_redundant_keys", config.allow_redundant_keys},
               {"subset_lb_policy", load_balancing_policy_json(config.subset_lb_policy.get().config, locality)}};
  if (!config.default_subset.empty()) {
    json["default_subset"] = struct_json(config.default_subset);
  }
  if (config.metadata_fallback_policy == policies::subset::MetadataFallbackPolicy::fallback_list) {
    json["metadata_fallback_policy"] = "FALLBACK_LIST";
  }
  return {"subset.v3.Subset", std::move(json)};
}

Typed typed(const policies::override_host::Config& config, const Locality& locality) {
  Json sources = Json::array();
  for (const policies::override_host::OverrideHostSource& source : config.override_host_sources) {
    sources.push_back(source.metadata
                          ? Json{{"metadata", {{"key", "envoy.lb"}, {"path", {{{"key", *source.metadata}}}}}}}
                          : Json{{"header", source.header}});
  }
  return {"override_host.v3.OverrideHost",
          {{"override_host_sources", std::move(sources)},
           {"fallback_policy", load_balancing_policy_json(config.fallback_policy.get().config, locality)}}};
}

// It knows localities by weight as the child of wrr_locality only.
Typed typed(const policies::client_side_weighted_round_robin::Config& config, const Locality& locality) {
  constexpr const char* type = "client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin";
  Json json = {{"blackout_period", duration_json(config.blackout_period)},
               {"weight_expiration_period", duration_json(config.weight_expiration_period)},
               {"weight_update_period", duration_json(config.weight_update_period)},
               {"error_utilization_penalty", config.error_utilization_penalty},
               {"metric_names_for_computing_utilization", config.metric_names_for_computing_utilization}};
  add_slow_start(json, config.slow_start_config);
  if (std::holds_alternative<config::LocalityWeightedLbConfig>(locality)) {
    return {"wrr_locality.v3.WrrLocality", {{"endpoint_picking_policy", policy_list_json(type, std::move(json))}}};
  }
  return {type, std::move(json)};
}

}  // namespace

Json load_balancing_policy_json(const envoy::policies::Config& policy, const Locality& locality) {
  Typed chosen = std::visit([&](const auto& config) { return typed(config, locality); }, policy);
  return policy_list_json(chosen.type, std::move(chosen.message));
}

}  // namespace spillway::reports::envoy_export
