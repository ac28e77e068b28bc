#include "sim/scenario/meaning/policy_parts.hpp"

#include "models/envoy/refusals.hpp"
#include "sim/scenario/meaning/pick_policy.hpp"
#include "sim/scenario/meaning/refused.hpp"

namespace spillway::scenario::meaning {

using grammar::Field;
namespace policies = envoy::policies;

config::SlowStartConfig slow_start_of(const Field<written::SlowStartConfig>& field) {
  config::SlowStartConfig config;
  if (!field) {
    return config;
  }
  take_number(field->slow_start_window, config.slow_start_window);
  if (field->aggression) {
    config.aggression = field->aggression->default_value.value_or(0.0);
  }
  if (field->min_weight_percent) {
    config.min_weight_percent = config::Percent{field->min_weight_percent->value.value_or(0.0)};
  }
  return config;
}

policies::least_request::Config least_request_of(const written::LeastRequestLbConfig& written) {
  policies::least_request::Config config;
  take_number(written.choice_count, config.choice_count);
  if (written.active_request_bias) {
    config.active_request_bias = written.active_request_bias->default_value.value_or(0.0);
  }
  config.slow_start_config = slow_start_of(written.slow_start_config);
  return config;
}

policies::ConsistentHashingLbConfig hashing_of(const written::ConsistentHashingLbConfig& written) {
  policies::ConsistentHashingLbConfig config;
  config.use_hostname_for_hashing = written.use_hostname_for_hashing.value_or(false);
  take_number(written.hash_balance_factor, config.hash_balance_factor);
  return config;
}

policies::ConsistentHashingLbConfig hashing_of(const written::TypedConsistentHashingLbConfig& written,
                                               Diagnostics& problems) {
  policies::ConsistentHashingLbConfig config =
      hashing_of(static_cast<const written::ConsistentHashingLbConfig&>(written));
  for (const auto& policy : *written.hash_policy) {
    config.hash_policy.push_back(read_hash_policy(*policy, problems));
  }
  return config;
}

policies::subset::Config subsets_of(const written::LbSubsetConfig& written, Diagnostics& problems) {
  using Selector = written::LbSubsetConfig::Selector;
  policies::subset::Config config;
  take_number(written.fallback_policy, config.fallback_policy);
  config.default_subset = written.default_subset.value;
  for (const Field<Selector>& field : *written.subset_selectors) {
    policies::subset::Selector& selector = config.subset_selectors.emplace_back();
    for (const auto& key : *field->keys) {
      selector.keys.push_back(key.value_or(""));
    }
    for (const auto& key : *field->fallback_keys_subset) {
      selector.fallback_keys_subset.push_back(key.value_or(""));
    }
    selector.single_host_per_subset = field->single_host_per_subset.value_or(false);
    take_number(field->fallback_policy, selector.fallback_policy);
    refuse(envoy::refusal(selector), {"this selector of subsets", field->source.object, field.where}, problems);
  }
  config.locality_weight_aware = written.locality_weight_aware.value_or(false);
  config.scale_locality_weight = written.scale_locality_weight.value_or(false);
  config.panic_mode_any = written.panic_mode_any.value_or(false);
  config.list_as_any = written.list_as_any.value_or(false);
  take_number(written.metadata_fallback_policy, config.metadata_fallback_policy);
  return config;
}

config::ZoneAwareLbConfig read_zone_aware(const written::ZoneAwareLbConfig& written) {
  config::ZoneAwareLbConfig zone_aware;
  if (written.routing_enabled) {
    zone_aware.routing_enabled = config::Percent{written.routing_enabled->value.value_or(0.0)};
  }
  take_number(written.min_cluster_size, zone_aware.min_cluster_size);
  zone_aware.fail_traffic_on_panic = written.fail_traffic_on_panic.value_or(false);
  return zone_aware;
}

}  // namespace spillway::scenario::meaning
