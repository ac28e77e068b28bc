#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

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
    const std::string_view name =
        std::string_view(any_.type).starts_with(package) ? std::string_view(any_.type).substr(package.size()) : "";
    const auto played =
        std::find_if(readers().begin(), readers().end(), [&](const auto& entry) { return entry.first == name; });
    known = played != readers().end() || std::find(not_played.begin(), not_played.end(), name) != not_played.end();
    if (played != readers().end()) {
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

  // One without others in it: all there is to it is its description.
  template <class Policy>
  void described(PickPolicy& policy) {
    written::Described<written::Typed<typename Policy::Config>> written;
    written::read_any(any_, written, problems_);
    if constexpr (requires { envoy::refusal(written.config, envoy::Form::typed); }) {
      refuse(envoy::refusal(written.config, envoy::Form::typed), here(words_of(Policy::name)), problems_);
    }
    policy.config = std::move(written.config);
    policy.locality = written.locality;
  }

  // "envoy.load_balancing_policies.ring_hash" -> "this ring hash policy".
  static std::string words_of(std::string_view name) {
    std::string words(name.substr(name.rfind('.') + 1));
    std::replace(words.begin(), words.end(), '_', ' ');
    return "this " + words + " policy";
  }

  void subset(PickPolicy& policy) {
    written::Described<written::Subset> written;
    written::read_any(any_, written, problems_);
    refuse_selectors(written, written.source, problems_);
    policies::subset::Config config = std::move(written);
    if (written.within) {
      config.subset_lb_policy = child_of(*written.within, written.within.where, policy);
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

  [[nodiscard]] Refused here(std::string what) const { return {std::move(what), any_.node, where_}; }

  static constexpr std::string_view package = "envoy.extensions.load_balancing_policies.";
  // By what stands behind the package: the described ones of the registry, and those that hold others.
  static const std::vector<std::pair<std::string_view, Reader>>& readers() {
    static const auto all = [] {
      std::vector<std::pair<std::string_view, Reader>> list = {
          {"subset.v3.Subset", &TypedPolicy::subset},
          {"override_host.v3.OverrideHost", &TypedPolicy::override_host},
          {"wrr_locality.v3.WrrLocality", &TypedPolicy::wrr_locality},
          {"cluster_provided.v3.ClusterProvided", &TypedPolicy::cluster_provided}};
      add_described(list, std::type_identity<policies::Policies>{});
      return list;
    }();
    return all;
  }
  template <class... Policy>
  static void add_described(std::vector<std::pair<std::string_view, Reader>>& list,
                            std::type_identity<std::tuple<Policy...>> /*registry*/) {
    const auto add = [&]<class One>(std::type_identity<One> /*policy*/) {
      if constexpr (requires { written::Grammar<written::Typed<typename One::Config>>::definition; }) {
        const std::string_view type = written::Grammar<written::Typed<typename One::Config>>::definition;
        list.emplace_back(type.substr(package.size()), &TypedPolicy::described<One>);
      }
    };
    (add(std::type_identity<Policy>{}), ...);
  }

  static constexpr std::array not_played = std::to_array<std::string_view>(
      {"dynamic_modules.v3.DynamicModulesLoadBalancerConfig", "load_aware_locality.v3.LoadAwareLocality"});

  const AnyMessage& any_;
  Span where_;
  Diagnostics& problems_;
};

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
    if (!list.known && any.node->envoys_own && any.node->find("@type") != nullptr) {
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
