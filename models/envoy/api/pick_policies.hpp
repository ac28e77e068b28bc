// Pick policies with their settings, in Envoy's two forms: a field of the cluster next to lb_policy, and a typed
// extension in load_balancing_policy. The policies describe their own messages.
#pragma once

#include <optional>
#include <tuple>
#include <type_traits>
#include <variant>

#include "models/envoy/api/policy_fields.hpp"
#include "models/envoy/policies/registry.hpp"

namespace spillway::messages {

// The settings in a field of the cluster. A hash policy's consistent_hashing_lb_config is in the cluster's
// common_lb_config.
template <class Policy>
struct SettingsOf : Policy::Config {};
template <envoy::policies::HasField Policy>
struct Grammar<SettingsOf<Policy>> {
  static constexpr const char* definition = Policy::settings.definition;
  static void describe(Fields& fields, SettingsOf<Policy>& config) {
    PolicyFields own(fields, {});
    Policy::describe_settings(own, config);
  }
};

// The cluster fields of all policies that have one.
class SettingsFields {
  template <class Policy>
  struct Of {
    using type = std::monostate;
  };
  template <envoy::policies::HasField Policy>
  struct Of<Policy> {
    using type = Field<Described<SettingsOf<Policy>>>;
  };
  template <class Tuple>
  struct AllOf;
  template <class... Policy>
  struct AllOf<std::tuple<Policy...>> {
    using type = std::tuple<typename Of<Policy>::type...>;
  };

 public:
  template <envoy::policies::HasField Policy>
  [[nodiscard]] Field<Described<SettingsOf<Policy>>>& of() {
    return std::get<Field<Described<SettingsOf<Policy>>>>(fields_);
  }
  template <envoy::policies::HasField Policy>
  [[nodiscard]] const Field<Described<SettingsOf<Policy>>>& of() const {
    return std::get<Field<Described<SettingsOf<Policy>>>>(fields_);
  }

 private:
  AllOf<envoy::policies::Policies>::type fields_;
};

// A typed policy: its settings, the choice of localities, and the policy inside it.
template <class Policy>
struct Typed {
  typename Policy::Config config = {};
  std::optional<config::LocalityConfigSpecifier> locality = {};  // nullopt if not set
  Field<LoadBalancingPolicy> child = {};
};
template <class Policy>
struct Grammar<Typed<Policy>> {
  static constexpr const char* definition = Policy::definition;
  static void describe(Fields& fields, Typed<Policy>& policy) {
    PolicyFields own(fields, {&policy.locality, &policy.child});
    Policy::describe(own, policy.config);
  }
};

// Returns an envoy.config.cluster.v3.LoadBalancingPolicy. Always uses the typed form, which can express everything that
// a cluster's own fields can.
[[nodiscard]] documents::Node write_load_balancing_policy(const envoy::policies::Config& policy,
                                                          const config::LocalityConfigSpecifier& locality);

}  // namespace spillway::messages
