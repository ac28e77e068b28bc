#include "sim/scenario/written/policies.hpp"

namespace spillway::scenario::written {

using grammar::Choice;
using grammar::Flag;
using grammar::ListOf;
using grammar::ProtoDuration;
using grammar::Record;
using grammar::Text;
using grammar::Whole;

namespace {

// Wider than anybody means, and exact in JSON.
const grammar::Number any_double{-1e15, 1e15};

const char* const locality_words = "choice of the locality";

}  // namespace

void describe(Fields& fields, LoadBalancingPolicy::Policy& policy) {
  fields.message();
  fields.required("typed_extension_config", policy.typed_extension_config, Record<TypedExtensionConfig>{},
                  "the policy with its configuration");
}

void describe(Fields& fields, LoadBalancingPolicy& policy) {
  fields.message();
  fields.optional("policies", policy.policies, ListOf<Record<LoadBalancingPolicy::Policy>>{},
                  "the first one that Envoy knows is used");
}

void describe(Fields& fields, RuntimeDouble& value) {
  fields.message();
  fields.optional("default_value", value.default_value, any_double, "the value; default: 0");
  fields.without_influence({"runtime_key"});
}

void describe(Fields& fields, SlowStartConfig& config) {
  fields.message();
  fields.optional("slow_start_window", config.slow_start_window, ProtoDuration{},
                  "how long a new host gets less than its weight; default: 0s, not at all");
  fields.optional("aggression", config.aggression, Record<RuntimeDouble>{},
                  "above 1 most of the weight comes early; default: 1");
  fields.optional("min_weight_percent", config.min_weight_percent, Record<PercentMessage>{},
                  "with how much of its weight a host begins; default: 10");
}

void describe(Fields& fields, RoundRobinLbConfig& config) {
  fields.message();
  fields.optional("slow_start_config", config.slow_start_config, Record<SlowStartConfig>{}, "of new hosts");
}

void describe(Fields& fields, LeastRequestLbConfig& config) {
  fields.message();
  config.source.keep(fields);
  fields.optional("choice_count", config.choice_count, Whole{0, largest_uint32},
                  "the best of so many hosts drawn at random; default: 2");
  fields.optional("active_request_bias", config.active_request_bias, Record<RuntimeDouble>{},
                  "how much requests in flight count where weights differ; default: 1");
  fields.optional("slow_start_config", config.slow_start_config, Record<SlowStartConfig>{}, "of new hosts");
}

void describe(Fields& fields, RingHashLbConfig& config) {
  fields.message();
  fields.formerly("deprecated_v1", "hash_function");
  fields.formerly("use_std_hash", "hash_function");
  config.source.keep(fields);
  fields.optional("minimum_ring_size", config.minimum_ring_size, Uint64{}, "points at least; default: 1024");
  fields.optional("maximum_ring_size", config.maximum_ring_size, Uint64{}, "points at most; default: 8388608");
  fields.optional("hash_function", config.hash_function, Choice{RingHashLbConfig::hash_functions, {}},
                  "of the points; default: XX_HASH");
}

void describe(Fields& fields, MaglevLbConfig& config) {
  fields.message();
  config.source.keep(fields);
  fields.optional("table_size", config.table_size, Uint64{}, "slots, a prime; default: 65537");
}

void describe(Fields& fields, ConsistentHashingLbConfig& config) {
  fields.message();
  config.source.keep(fields);
  fields.optional("use_hostname_for_hashing", config.use_hostname_for_hashing, Flag{},
                  "a host's place follows from its hostname instead of its address; default: false");
  fields.optional("hash_balance_factor", config.hash_balance_factor, Whole{0, largest_uint32},
                  "no host may have more than so much percent of the mean load; default: no bound");
}

void describe(Fields& fields, TypedConsistentHashingLbConfig& config) {
  describe(fields, static_cast<ConsistentHashingLbConfig&>(config));
  fields.optional("hash_policy", config.hash_policy, ListOf<Record<HashPolicy>>{},
                  "by what requests are hashed, instead of the route's hash_policy");
}

void describe(Fields& fields, RoundRobin& policy) {
  fields.message();
  fields.optional("locality_lb_config", policy.locality_lb_config, Record<LocalityLbConfig>{}, locality_words);
  fields.optional("slow_start_config", policy.slow_start_config, Record<SlowStartConfig>{}, "of new hosts");
}

void describe(Fields& fields, Random& policy) {
  fields.message();
  fields.optional("locality_lb_config", policy.locality_lb_config, Record<LocalityLbConfig>{}, locality_words);
}

void describe(Fields& fields, LeastRequest& policy) {
  describe(fields, static_cast<LeastRequestLbConfig&>(policy));
  fields.optional("selection_method", policy.selection_method, Choice{LeastRequest::selection_methods, {}},
                  "of a few hosts or of all; default: N_CHOICES");
  fields.optional("locality_lb_config", policy.locality_lb_config, Record<LocalityLbConfig>{}, locality_words);
  fields.not_played("enable_full_scan", "Envoy has replaced it by `selection_method: FULL_SCAN`");
}

void describe(Fields& fields, RingHash& policy) {
  fields.message();
  policy.source.keep(fields);
  fields.optional("hash_function", policy.hash_function, Choice{RingHash::hash_functions, {}},
                  "of the points; default: XX_HASH");
  fields.optional("minimum_ring_size", policy.minimum_ring_size, Uint64{}, "points at least; default: 1024");
  fields.optional("maximum_ring_size", policy.maximum_ring_size, Uint64{}, "points at most; default: 8388608");
  fields.optional("use_hostname_for_hashing", policy.use_hostname_for_hashing, Flag{},
                  "deprecated: that of consistent_hashing_lb_config");
  fields.optional("hash_balance_factor", policy.hash_balance_factor, Whole{0, largest_uint32},
                  "deprecated: that of consistent_hashing_lb_config");
  fields.optional("consistent_hashing_lb_config", policy.consistent_hashing_lb_config,
                  Record<TypedConsistentHashingLbConfig>{}, "what hash policies have in common");
  fields.optional("locality_weighted_lb_config", policy.locality_weighted_lb_config, Record<LocalityWeightedLbConfig>{},
                  "localities by their load_balancing_weight");
}

void describe(Fields& fields, Maglev& policy) {
  describe(fields, static_cast<MaglevLbConfig&>(policy));
  fields.optional("consistent_hashing_lb_config", policy.consistent_hashing_lb_config,
                  Record<TypedConsistentHashingLbConfig>{}, "what hash policies have in common");
  fields.optional("locality_weighted_lb_config", policy.locality_weighted_lb_config, Record<LocalityWeightedLbConfig>{},
                  "localities by their load_balancing_weight");
}

namespace {

struct OutOfBandReporting {
  static constexpr const char* definition =
      "envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.OobReportingConfig";
};

void describe(Fields& fields, OutOfBandReporting& /*config*/) {
  fields.message();
  fields.idle("authority", Text{0, 1'000});
  fields.idle("port_value", Whole{0, largest_uint32});
}

}  // namespace

void describe(Fields& fields, ClientSideWeightedRoundRobin& policy) {
  fields.message();
  fields.optional("blackout_period", policy.blackout_period, ProtoDuration{},
                  "a host's first reports are not used for so long; default: 10s");
  fields.optional("weight_expiration_period", policy.weight_expiration_period, ProtoDuration{},
                  "and its last one for so long; default: 180s");
  fields.optional("weight_update_period", policy.weight_update_period, ProtoDuration{},
                  "between two calculations of the weights; default: 1s");
  fields.optional("error_utilization_penalty", policy.error_utilization_penalty, any_double,
                  "by how much errors count as load; default: 0");
  fields.optional("metric_names_for_computing_utilization", policy.metric_names_for_computing_utilization,
                  ListOf<Text>{{1, 1'000}}, "which reported figures are the load");
  fields.idle("enable_oob_load_report", Flag{true});
  fields.idle("oob_reporting_period", ProtoDuration{});
  fields.idle("oob_reporting_config", Record<OutOfBandReporting>{});
  fields.optional("slow_start_config", policy.slow_start_config, Record<SlowStartConfig>{}, "of new hosts");
}

void describe(Fields& fields, WrrLocality& policy) {
  fields.message();
  fields.optional("endpoint_picking_policy", policy.endpoint_picking_policy, Record<LoadBalancingPolicy>{},
                  "client_side_weighted_round_robin, within the locality that its weight has drawn");
}

void describe(Fields& fields, OverrideHost::MetadataKey::PathSegment& segment) {
  fields.message();
  fields.required("key", segment.key, Text{1, 1'000}, "name");
}

void describe(Fields& fields, OverrideHost::MetadataKey& key) {
  fields.message();
  fields.required("key", key.key, Text{1, 1'000}, "name space");
  fields.required("path", key.path, ListOf<Record<OverrideHost::MetadataKey::PathSegment>>{{}, 1}, "names");
}

void describe(Fields& fields, OverrideHost::OverrideHostSource& source) {
  fields.message();
  fields.optional("header", source.header, Text{0, 1'000}, "a header that names hosts");
  fields.optional("metadata", source.metadata, Record<OverrideHost::MetadataKey>{}, "metadata that names hosts");
}

void describe(Fields& fields, OverrideHost& policy) {
  fields.message();
  policy.source.keep(fields);
  fields.optional("override_host_sources", policy.override_host_sources,
                  ListOf<Record<OverrideHost::OverrideHostSource>>{}, "where a request names its hosts, in this order");
  fields.optional("fallback_policy", policy.fallback_policy, Record<LoadBalancingPolicy>{},
                  "of requests that name none");
  fields.not_played("selected_host_key", "metadata that filters read is not supported");
}

}  // namespace spillway::scenario::written
