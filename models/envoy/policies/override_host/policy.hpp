// Registers the policy override host: its names, and its fields in files, exports and explanations.
#pragma once

#include <string_view>

#include "models/envoy/policies/child_policy.hpp"
#include "models/envoy/policies/explained.hpp"
#include "models/envoy/policies/message.hpp"
#include "models/envoy/policies/override_host/config.hpp"
#include "models/envoy/refusal.hpp"

namespace spillway::envoy::policies::override_host {

// Returns why Envoy refuses the configuration; nullopt if it accepts it.
[[nodiscard]] Refusal refusal(const Config& config, const FoundChild& fallback);

struct Policy {
  using Config = override_host::Config;
  static constexpr std::string_view name = "envoy.load_balancing_policies.override_host";
  static constexpr const char* definition = "envoy.extensions.load_balancing_policies.override_host.v3.OverrideHost";
  static constexpr Explained explained{"13", "override_host/load_balancer.cc"};
  static constexpr auto refusal = &override_host::refusal;
  static const ChildPolicy& child(const Config& config) { return config.fallback_policy; }
  static ChildPolicy& child(Config& config) { return config.fallback_policy; }

  template <class Fields>
  static void describe(Fields& fields, Config& config) {
    fields.optional("override_host_sources", config.override_host_sources, message::ListOf<OverrideHostSource>{},
                    "where a request names its hosts, in this order");
    fields.child("fallback_policy", config.fallback_policy, message::Needed::no, "of requests that name none");
    fields.not_simulated("selected_host_key", "metadata that filters read is not supported");
  }
  template <class Release>
  static void in_release(Release& release, Config&) {
    release.refuse(true, 35, "the policy override_host");
  }
};

}  // namespace spillway::envoy::policies::override_host
