#include "reports/envoy/policies.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "sim/scenario/written/pick_policies.hpp"
#include "sim/scenario/written/subset.hpp"

namespace spillway::reports::envoy_export {
namespace {

namespace policies = envoy::policies;
namespace written = scenario::written;
using Locality = config::LocalityConfigSpecifier;

struct Typed {
  std::string type;
  Json message;
};

// "envoy.extensions.load_balancing_policies.random.v3.Random" of the extension envoy.load_balancing_policies.random.
Json policy_list_json(const std::string& type, Json message) {
  constexpr std::string_view package = "envoy.extensions.load_balancing_policies.";
  const std::string name =
      "envoy.load_balancing_policies." + type.substr(package.size(), type.find('.', package.size()) - package.size());
  return {{"policies", Json::array({{{"typed_extension_config", extension_json(name, type, std::move(message))}}})}};
}

template <class Config>
Typed typed(const Config& config, const Locality& locality) {
  using Policy = written::Typed<Config>;
  return {written::Grammar<Policy>::definition, message_json(Policy{config, locality})};
}

Typed typed(const policies::subset::Config& config, const Locality& locality) {
  Json json = message_json(config);
  json["allow_redundant_keys"] = config.allow_redundant_keys;
  json["subset_lb_policy"] = load_balancing_policy_json(config.subset_lb_policy.get().config, locality);
  return {written::Grammar<written::Subset>::definition, std::move(json)};
}

Typed typed(const policies::override_host::Config& config, const Locality& locality) {
  Json sources = Json::array();
  for (const policies::override_host::OverrideHostSource& source : config.override_host_sources) {
    sources.push_back(source.metadata
                          ? Json{{"metadata", {{"key", "envoy.lb"}, {"path", {{{"key", *source.metadata}}}}}}}
                          : Json{{"header", source.header}});
  }
  return {"envoy.extensions.load_balancing_policies.override_host.v3.OverrideHost",
          {{"override_host_sources", std::move(sources)},
           {"fallback_policy", load_balancing_policy_json(config.fallback_policy.get().config, locality)}}};
}

// It knows localities by weight as the child of wrr_locality only.
Typed typed(const policies::client_side_weighted_round_robin::Config& config, const Locality& locality) {
  Typed policy = typed<policies::client_side_weighted_round_robin::Config>(config, locality);
  if (!std::holds_alternative<config::LocalityWeightedLbConfig>(locality)) {
    return policy;
  }
  return {"envoy.extensions.load_balancing_policies.wrr_locality.v3.WrrLocality",
          {{"endpoint_picking_policy", policy_list_json(policy.type, std::move(policy.message))}}};
}

}  // namespace

Json load_balancing_policy_json(const envoy::policies::Config& policy, const Locality& locality) {
  Typed chosen = std::visit([&](const auto& config) { return typed(config, locality); }, policy);
  return policy_list_json(chosen.type, std::move(chosen.message));
}

}  // namespace spillway::reports::envoy_export
