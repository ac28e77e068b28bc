// Pick policies with their settings, in the two forms that Envoy has: a field of the cluster beside its lb_policy, and
// a typed extension of its load_balancing_policy. Those that hold other policies are in policies.hpp.
//
// A new policy needs its typed form here, which the reader of load_balancing_policy (meaning/typed_policy.cpp) and the
// exporter take from the registry of policies.
#pragma once

#include <optional>

#include "models/config/common_lb_config.hpp"
#include "models/config/slow_start.hpp"
#include "models/envoy/policies/registry.hpp"
#include "sim/scenario/written/common_messages.hpp"

namespace spillway::scenario::written {

template <>
struct Grammar<config::SlowStartConfig> {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.SlowStartConfig";
  static void describe(Fields& fields, config::SlowStartConfig& config);
};

// Fields of a cluster. A hash policy's consistent_hashing_lb_config stands in the cluster's common_lb_config.
template <>
struct Grammar<envoy::policies::round_robin::Config> {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.RoundRobinLbConfig";
  static void describe(Fields& fields, envoy::policies::round_robin::Config& config);
};
template <>
struct Grammar<envoy::policies::least_request::Config> {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.LeastRequestLbConfig";
  static void describe(Fields& fields, envoy::policies::least_request::Config& config);
};
template <>
struct Grammar<envoy::policies::ring_hash::Config> {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.RingHashLbConfig";
  static void describe(Fields& fields, envoy::policies::ring_hash::Config& config);
};
template <>
struct Grammar<envoy::policies::maglev::Config> {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.MaglevLbConfig";
  static void describe(Fields& fields, envoy::policies::maglev::Config& config);
};
template <>
struct Grammar<envoy::policies::ConsistentHashingLbConfig> {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.CommonLbConfig.ConsistentHashingLbConfig";
  static void describe(Fields& fields, envoy::policies::ConsistentHashingLbConfig& config);
};

// A typed policy, which says with its own settings how a locality is chosen.
template <class Config>
struct Typed {
  Config config = {};
  std::optional<config::LocalityConfigSpecifier> locality = {};  // none: it does not say
};

template <>
struct Grammar<Typed<envoy::policies::round_robin::Config>> {
  static constexpr const char* definition = "envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin";
  static void describe(Fields& fields, Typed<envoy::policies::round_robin::Config>& policy);
};
template <>
struct Grammar<Typed<envoy::policies::random::Config>> {
  static constexpr const char* definition = "envoy.extensions.load_balancing_policies.random.v3.Random";
  static void describe(Fields& fields, Typed<envoy::policies::random::Config>& policy);
};
template <>
struct Grammar<Typed<envoy::policies::least_request::Config>> {
  static constexpr const char* definition = "envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest";
  static void describe(Fields& fields, Typed<envoy::policies::least_request::Config>& policy);
};
template <>
struct Grammar<Typed<envoy::policies::ring_hash::Config>> {
  static constexpr const char* definition = "envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash";
  static void describe(Fields& fields, Typed<envoy::policies::ring_hash::Config>& policy);
};
template <>
struct Grammar<Typed<envoy::policies::maglev::Config>> {
  static constexpr const char* definition = "envoy.extensions.load_balancing_policies.maglev.v3.Maglev";
  static void describe(Fields& fields, Typed<envoy::policies::maglev::Config>& policy);
};
// It knows no localities: wrr_locality chooses one around it.
template <>
struct Grammar<Typed<envoy::policies::client_side_weighted_round_robin::Config>> {
  static constexpr const char* definition =
      "envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin";
  static void describe(Fields& fields, Typed<envoy::policies::client_side_weighted_round_robin::Config>& policy);
};

}  // namespace spillway::scenario::written
