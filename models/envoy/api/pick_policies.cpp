#include "models/envoy/api/pick_policies.hpp"

#include <string>
#include <utility>

#include "models/envoy/api/hash_policy.hpp"
#include "models/envoy/api/locality_lb_config.hpp"

namespace spillway::messages {

using grammar::Flag;
using grammar::ProtoDuration;
using grammar::Record;
using grammar::Whole;
namespace policies = envoy::policies;

void Grammar<config::SlowStartConfig>::describe(Fields& fields, config::SlowStartConfig& config) {
  fields.message();
  optional(fields, "slow_start_window", config.slow_start_window, ProtoDuration{},
           "time during which a new host gets less than its weight; default: 0s, none");
  optional(fields, "aggression", config.aggression, RuntimeDouble{},
           "above 1 most of the weight returns early; default: 1");
  optional(fields, "min_weight_percent", config.min_weight_percent, UncheckedPercent{},
           "percentage of its weight that a host begins with; default: 10");
}

void Grammar<policies::ConsistentHashingLbConfig>::describe(Fields& fields,
                                                            policies::ConsistentHashingLbConfig& config) {
  fields.message();
  optional(fields, "use_hostname_for_hashing", config.use_hostname_for_hashing, Flag{},
           "hash the hostname of a host instead of its address; default: false");
  // Writes only a nonzero value: 0 means unbounded here, but Envoy refuses values below 100.
  if (!fields.writing() || config.hash_balance_factor != 0) {
    optional(fields, "hash_balance_factor", config.hash_balance_factor, Whole{0, largest_uint32},
             "maximum load of a host in percent of the mean; default: no bound");
  }
}

void Grammar<TypedHashing>::describe(Fields& fields, TypedHashing& config) {
  Grammar<policies::ConsistentHashingLbConfig>::describe(fields, config);
  optional(fields, "hash_policy", config.hash_policy, Items<HashPolicy>{{Names::unchecked}},
           "hash policies, instead of the route's hash_policy");
}

std::shared_ptr<SettingsFields> new_settings_fields() {
  return std::make_shared<SettingsFields>();
}

void PolicyFields::locality() {
  messages::optional(*fields_, "locality_lb_config", *around_.locality, Message<config::LocalityConfigSpecifier>{},
                     "choice of the locality");
}

// Reads the choice of localities of a hash policy, which is by weight or not at all.
void PolicyFields::locality_weights() {
  std::optional<config::LocalityConfigSpecifier>& locality = *around_.locality;
  std::optional<config::LocalityWeightedLbConfig> weights;
  if (locality && std::holds_alternative<config::LocalityWeightedLbConfig>(*locality)) {
    weights.emplace();
  }
  messages::optional(*fields_, "locality_weighted_lb_config", weights, Message<config::LocalityWeightedLbConfig>{},
                     "localities by their load_balancing_weight");
  if (weights) {
    locality = *weights;
  }
}

void PolicyFields::child(const char* name, const policies::ChildPolicy& member, policies::message::Needed needed,
                         const char* words) {
  if (writing()) {
    fields_->write(name, write_load_balancing_policy(member.get().config,
                                                     around_.locality->value_or(config::LocalityConfigSpecifier{})));
    return;
  }
  fields_->optional(name, *around_.child, Record<LoadBalancingPolicy>{}, words);
  if (needed == policies::message::Needed::yes) {
    fields_->require(name);
  }
}

namespace {

template <class Policy>
documents::Node list_of(const typename Policy::Config& config,
                        const std::optional<config::LocalityConfigSpecifier>& locality) {
  documents::Node extension = write_extension(std::string(Policy::name), Typed<Policy>{config, locality});
  documents::Node list;
  list.kind = documents::Kind::array;
  list.items.push_back(message_with("typed_extension_config", std::move(extension)));
  return message_with("policies", std::move(list));
}

}  // namespace

documents::Node write_load_balancing_policy(const policies::Config& policy,
                                            const config::LocalityConfigSpecifier& locality) {
  return policies::visit_policy(policy, [&]<class Policy>(const typename Policy::Config& config) {
    if constexpr (requires { typename Policy::OverLocalities; }) {
      using Over = typename Policy::OverLocalities;
      if (std::holds_alternative<typename Over::Locality>(locality)) {
        return list_of<Over>({policies::ChildPolicy(policies::PolicyConfig{config})}, std::nullopt);
      }
    }
    return list_of<Policy>(config, locality);
  });
}

}  // namespace spillway::messages
