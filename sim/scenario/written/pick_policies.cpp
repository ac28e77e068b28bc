#include "sim/scenario/written/pick_policies.hpp"

#include <variant>

#include "sim/scenario/written/hash_policy.hpp"
#include "sim/scenario/written/locality_lb_config.hpp"

namespace spillway::scenario::written {

using grammar::Choice;
using grammar::Flag;
using grammar::ProtoDuration;
using grammar::Text;
using grammar::Whole;
namespace policies = envoy::policies;

namespace {

// Nothing said is nothing written: a policy with a slow start keeps its hosts in a schedule.
void describe_slow_start(Fields& fields, config::SlowStartConfig& config) {
  if (!fields.writing() || config != config::SlowStartConfig{}) {
    optional(fields, "slow_start_config", config, Message<config::SlowStartConfig>{}, "of new hosts");
  }
}

void describe_locality(Fields& fields, std::optional<config::LocalityConfigSpecifier>& locality) {
  optional(fields, "locality_lb_config", locality, Message<config::LocalityConfigSpecifier>{},
           "choice of the locality");
}

// A hash policy knows localities by weight or not at all.
void describe_locality_weights(Fields& fields, std::optional<config::LocalityConfigSpecifier>& locality) {
  std::optional<config::LocalityWeightedLbConfig> weights;
  if (locality && std::holds_alternative<config::LocalityWeightedLbConfig>(*locality)) {
    weights.emplace();
  }
  optional(fields, "locality_weighted_lb_config", weights, Message<config::LocalityWeightedLbConfig>{},
           "localities by their load_balancing_weight");
  if (weights) {
    locality = *weights;
  }
}

// envoy.extensions.load_balancing_policies.common.v3.ConsistentHashingLbConfig: the cluster's, and by what it hashes.
struct TypedHashing : policies::ConsistentHashingLbConfig {};

void describe_ring_sizes(Fields& fields, policies::ring_hash::Config& config) {
  optional(fields, "minimum_ring_size", config.minimum_ring_size, Uint64{}, "points at least; default: 1024");
  optional(fields, "maximum_ring_size", config.maximum_ring_size, Uint64{}, "points at most; default: 8388608");
}

const Whole balance_factor{0, largest_uint32};

}  // namespace

template <>
struct Grammar<TypedHashing> {
  static constexpr const char* definition =
      "envoy.extensions.load_balancing_policies.common.v3.ConsistentHashingLbConfig";
  static void describe(Fields& fields, TypedHashing& config) {
    Grammar<policies::ConsistentHashingLbConfig>::describe(fields, config);
    optional(fields, "hash_policy", config.hash_policy, Items<HashPolicy>{{Names::unchecked}},
             "by what requests are hashed, instead of the route's hash_policy");
  }
};

void Grammar<config::SlowStartConfig>::describe(Fields& fields, config::SlowStartConfig& config) {
  fields.message();
  optional(fields, "slow_start_window", config.slow_start_window, ProtoDuration{},
           "how long a new host gets less than its weight; default: 0s, not at all");
  optional(fields, "aggression", config.aggression, RuntimeDouble{},
           "above 1 most of the weight comes early; default: 1");
  optional(fields, "min_weight_percent", config.min_weight_percent, Message<config::Percent>{},
           "with how much of its weight a host begins; default: 10");
}

void Grammar<policies::round_robin::Config>::describe(Fields& fields, policies::round_robin::Config& config) {
  fields.message();
  describe_slow_start(fields, config.slow_start_config);
}

void Grammar<policies::least_request::Config>::describe(Fields& fields, policies::least_request::Config& config) {
  fields.message();
  optional(fields, "choice_count", config.choice_count, Whole{0, largest_uint32},
           "the best of so many hosts drawn at random; default: 2");
  optional(fields, "active_request_bias", config.active_request_bias, RuntimeDouble{},
           "how much requests in flight count where weights differ; default: 1");
  describe_slow_start(fields, config.slow_start_config);
}

void Grammar<policies::ring_hash::Config>::describe(Fields& fields, policies::ring_hash::Config& config) {
  fields.message();
  fields.formerly("deprecated_v1", "hash_function");
  fields.formerly("use_std_hash", "hash_function");
  describe_ring_sizes(fields, config);
  optional(fields, "hash_function", config.hash_function, Choice{{"XX_HASH", "MURMUR_HASH_2"}},
           "of the points; default: XX_HASH");
}

void Grammar<policies::maglev::Config>::describe(Fields& fields, policies::maglev::Config& config) {
  fields.message();
  optional(fields, "table_size", config.table_size, Uint64{}, "slots, a prime; default: 65537");
}

void Grammar<policies::ConsistentHashingLbConfig>::describe(Fields& fields,
                                                            policies::ConsistentHashingLbConfig& config) {
  fields.message();
  optional(fields, "use_hostname_for_hashing", config.use_hostname_for_hashing, Flag{},
           "a host's place follows from its hostname instead of its address; default: false");
  // 0 is no bound here, and a field that Envoy refuses below 100 is not one that says nothing.
  if (!fields.writing() || config.hash_balance_factor != 0) {
    optional(fields, "hash_balance_factor", config.hash_balance_factor, balance_factor,
             "no host may have more than so much percent of the mean load; default: no bound");
  }
}

void Grammar<Typed<policies::round_robin::Config>>::describe(Fields& fields,
                                                             Typed<policies::round_robin::Config>& policy) {
  fields.message();
  describe_locality(fields, policy.locality);
  describe_slow_start(fields, policy.config.slow_start_config);
}

void Grammar<Typed<policies::random::Config>>::describe(Fields& fields, Typed<policies::random::Config>& policy) {
  fields.message();
  describe_locality(fields, policy.locality);
}

void Grammar<Typed<policies::least_request::Config>>::describe(Fields& fields,
                                                               Typed<policies::least_request::Config>& policy) {
  Grammar<policies::least_request::Config>::describe(fields, policy.config);
  optional(fields, "selection_method", policy.config.selection_method, Choice{{"N_CHOICES", "FULL_SCAN"}},
           "of a few hosts or of all; default: N_CHOICES");
  describe_locality(fields, policy.locality);
  fields.not_played("enable_full_scan", "Envoy has replaced it by `selection_method: FULL_SCAN`");
}

void Grammar<Typed<policies::ring_hash::Config>>::describe(Fields& fields, Typed<policies::ring_hash::Config>& policy) {
  using policies::ring_hash::HashFunction;
  policies::ring_hash::Config& config = policy.config;
  std::optional<std::size_t> function;
  std::optional<bool> use_hostname_for_hashing;
  std::optional<std::uint32_t> hash_balance_factor;
  std::optional<TypedHashing> hashing;
  if (fields.writing()) {
    hashing = TypedHashing(config.consistent_hashing_lb_config);
    if (config.hash_function) {
      function = static_cast<std::size_t>(*config.hash_function) + 1;
    }
  }
  fields.message();
  optional(fields, "hash_function", function, Choice{{"DEFAULT_HASH", "XX_HASH", "MURMUR_HASH_2"}},
           "of the points; default: XX_HASH");
  describe_ring_sizes(fields, config);
  optional(fields, "use_hostname_for_hashing", use_hostname_for_hashing, Flag{},
           "deprecated: that of consistent_hashing_lb_config");
  optional(fields, "hash_balance_factor", hash_balance_factor, balance_factor,
           "deprecated: that of consistent_hashing_lb_config");
  optional(fields, "consistent_hashing_lb_config", hashing, Message<TypedHashing>{},
           "what hash policies have in common");
  describe_locality_weights(fields, policy.locality);
  if (!hashing) {
    hashing.emplace();
    hashing->use_hostname_for_hashing = use_hostname_for_hashing.value_or(false);
    hashing->hash_balance_factor = hash_balance_factor.value_or(0);
  }
  config.consistent_hashing_lb_config = *hashing;
  if (function.value_or(0) > 0) {
    config.hash_function = static_cast<HashFunction>(*function - 1);
  }
}

void Grammar<Typed<policies::maglev::Config>>::describe(Fields& fields, Typed<policies::maglev::Config>& policy) {
  Grammar<policies::maglev::Config>::describe(fields, policy.config);
  optional(fields, "consistent_hashing_lb_config", policy.config.consistent_hashing_lb_config, Message<TypedHashing>{},
           "what hash policies have in common");
  describe_locality_weights(fields, policy.locality);
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

void Grammar<Typed<policies::client_side_weighted_round_robin::Config>>::describe(
    Fields& fields, Typed<policies::client_side_weighted_round_robin::Config>& policy) {
  auto& config = policy.config;
  fields.message();
  optional(fields, "blackout_period", config.blackout_period, ProtoDuration{},
           "a host's first reports are not used for so long; default: 10s");
  optional(fields, "weight_expiration_period", config.weight_expiration_period, ProtoDuration{},
           "and its last one for so long; default: 180s");
  optional(fields, "weight_update_period", config.weight_update_period, ProtoDuration{},
           "between two calculations of the weights; default: 1s");
  optional(fields, "error_utilization_penalty", config.error_utilization_penalty, any_double,
           "by how much errors count as load; default: 0");
  optional(fields, "metric_names_for_computing_utilization", config.metric_names_for_computing_utilization,
           Items<Text>{{1, 1'000}}, "which reported figures are the load");
  fields.idle("enable_oob_load_report", Flag{true});
  fields.idle("oob_reporting_period", ProtoDuration{});
  fields.idle("oob_reporting_config", grammar::Record<OutOfBandReporting>{});
  describe_slow_start(fields, config.slow_start_config);
}

}  // namespace spillway::scenario::written
