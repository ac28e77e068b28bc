#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "models/documents/problem.hpp"
#include "models/envoy/api/message_shapes.hpp"
#include "models/envoy/api/pick_policies.hpp"
#include "models/envoy/api/proto.hpp"
#include "models/envoy/api/refused.hpp"
#include "models/envoy/proxy/pick_policy.hpp"

namespace spillway::proxy {
namespace {

using messages::AnyMessage;
namespace policies = envoy::policies;

// A typed policy, identified by its name after "envoy.extensions.load_balancing_policies.".
class TypedPolicy {
 public:
  TypedPolicy(const AnyMessage& any, Span where, Diagnostics& problems)
      : any_(any), where_(where), problems_(problems) {}

  // Reads the policy. Returns nullopt if it is not supported or its configuration is wrong; both are reported. Sets
  // `known` if Envoy has such a policy.
  std::optional<PickPolicy> read(bool& known) {
    const std::string_view name =
        std::string_view(any_.type).starts_with(package) ? std::string_view(any_.type).substr(package.size()) : "";
    const auto simulated =
        std::find_if(readers().begin(), readers().end(), [&](const auto& entry) { return entry.first == name; });
    known = simulated != readers().end() ||
            std::find(not_simulated.begin(), not_simulated.end(), name) != not_simulated.end();
    if (simulated != readers().end()) {
      PickPolicy policy;
      (this->*simulated->second)(policy);
      return policy;
    }
    if (known) {
      problems_.error("SP302", where_, "`{}` is not supported yet", "is not supported yet", {any_.type});
    }
    return std::nullopt;
  }

 private:
  using Reader = void (TypedPolicy::*)(PickPolicy&);

  // Reads a policy that is described completely by its own message.
  template <class Policy>
  void typed(PickPolicy& policy) {
    messages::Described<messages::Typed<Policy>> written;
    messages::read_any(any_, written, problems_);
    if constexpr (policies::HoldsPolicy<Policy>) {
      read_child<Policy>(written, policy);
    } else {
      if constexpr (requires { Policy::refusal; }) {
        refuse(Policy::refusal(written.config, envoy::Form::typed), here<Policy>(), problems_);
      }
      policy.config = std::move(written.config);
      policy.locality = written.locality;
    }
  }

  template <class Policy>
  void read_child(messages::Typed<Policy>& written, PickPolicy& policy) {
    const PolicyList list = read_policy_list(*written.child, problems_);
    policies::PolicyConfig inner;
    if (list.policy) {
      inner.config = list.policy->config;
      Policy::child(written.config) = policies::ChildPolicy(inner);
      policy.locality = list.policy->locality;
    }
    if constexpr (requires { Policy::refusal; }) {
      const policies::FoundChild found{.written = written.child.present,
                                       .readable = written.child.present == written.child.given,
                                       .known = list.known,
                                       .names = list.names,
                                       .policy = list.policy ? &inner : nullptr};
      refuse(Policy::refusal(written.config, found), here<Policy>(), problems_);
    } else if (written.child && !list.known) {
      problems_.error("SP130", written.child.where, "no policy that Envoy knows", "none of these is known")
          .note("Envoy refuses it");
    }
    if constexpr (requires { typename Policy::Locality; }) {
      if (list.policy && Policy::fits(inner)) {
        policy.config = std::move(inner.config);
      }
      policy.locality = typename Policy::Locality{};
    } else {
      policy.config = std::move(written.config);
    }
  }

  void cluster_provided(PickPolicy& policy) {
    messages::ClusterProvided written;
    messages::read_any(any_, written, problems_);
    policy.cluster_provided = true;
  }

  // Returns the subject of refusals, e.g. "this ring hash policy" for "envoy.load_balancing_policies.ring_hash".
  template <class Policy>
  [[nodiscard]] messages::Refused here() const {
    std::string words(Policy::name.substr(Policy::name.rfind('.') + 1));
    std::replace(words.begin(), words.end(), '_', ' ');
    if constexpr (requires { Policy::words; }) {
      words = Policy::words;
    }
    return {"this " + words + " policy", any_.node, where_};
  }

  static constexpr std::string_view package = "envoy.extensions.load_balancing_policies.";
  // Returns the readers by the type's name after the package: those of the registry, and the cluster's own.
  static const std::vector<std::pair<std::string_view, Reader>>& readers() {
    static const auto all = [] {
      std::vector<std::pair<std::string_view, Reader>> list = {
          {"cluster_provided.v3.ClusterProvided", &TypedPolicy::cluster_provided}};
      const auto add = [&]<class Policy>() {
        list.emplace_back(std::string_view(Policy::definition).substr(package.size()), &TypedPolicy::typed<Policy>);
      };
      policies::for_each_policy(add);
      policies::for_each_wrapper(add);
      return list;
    }();
    return all;
  }

  static constexpr std::array not_simulated = std::to_array<std::string_view>(
      {"dynamic_modules.v3.DynamicModulesLoadBalancerConfig", "load_aware_locality.v3.LoadAwareLocality"});

  const AnyMessage& any_;
  Span where_;
  Diagnostics& problems_;
};

}  // namespace

PolicyList read_policy_list(const messages::LoadBalancingPolicy& written, Diagnostics& problems) {
  PolicyList list;
  Diagnostics unknown_types;
  for (const auto& policy : *written.policies) {
    const auto& extension = policy->typed_extension_config;
    list.names.push_back(extension->name.value_or(""));
    if (list.known) {
      continue;
    }
    if (!extension || !extension->typed_config) {
      list.known = true;  // reported by the reader
      continue;
    }
    const AnyMessage& any = *extension->typed_config;
    list.policy = TypedPolicy(any, extension->typed_config.where, problems).read(list.known);
    if (!list.known && any.node->envoys_own && any.node->find("@type") != nullptr) {
      unknown_types.error("SP139", extension->typed_config.where, "Envoy refuses this policy",
                          "could not find @type `{}`", {any.type});
    }
  }
  // In JSON, Envoy refuses an Any of an unknown type even if a later policy could be used.
  if (list.known) {
    problems.insert(problems.end(), unknown_types.begin(), unknown_types.end());
  }
  return list;
}

}  // namespace spillway::proxy
