// Pick policies with their settings, in the two forms that Envoy has: a field of the cluster beside its lb_policy, and
// a typed extension of its load_balancing_policy. What they look like, the policies say themselves.
#pragma once

#include <optional>
#include <tuple>
#include <type_traits>
#include <variant>

#include "models/envoy/api/policy_fields.hpp"

namespace spillway::messages {

// A field of the cluster. A hash policy's consistent_hashing_lb_config stands in the cluster's common_lb_config.
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

// The fields of all policies that have one.
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

// A typed policy, which says with its own settings how a locality is chosen and which policy is inside it.
template <class Policy>
struct Typed {
  typename Policy::Config config = {};
  std::optional<config::LocalityConfigSpecifier> locality = {};  // none: it does not say
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

// As an envoy.config.cluster.v3.LoadBalancingPolicy, always in the typed form, which can say everything that a
// cluster's own fields can.
[[nodiscard]] documents::Node write_load_balancing_policy(const envoy::policies::Config& policy,
                                                         const config::LocalityConfigSpecifier& locality);

}  // namespace spillway::messages
