// The grammar of the spec of a MeshLoadBalancingStrategy, verbatim. models/kuma/validation.hpp restricts the words and
// numbers in it, in Kuma's own messages.
#pragma once

#include "models/envoy/api/grammar_of.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::messages {

template <>
struct Grammar<kuma::AffinityTag> {
  static constexpr const char* definition = "MeshLoadBalancingStrategy.AffinityTag";
  static void describe(Fields& fields, kuma::AffinityTag& tag);
};
template <>
struct Grammar<kuma::LocalZone> {
  static constexpr const char* definition = "MeshLoadBalancingStrategy.LocalZone";
  static void describe(Fields& fields, kuma::LocalZone& zone);
};
template <>
struct Grammar<kuma::FromZone> {
  static constexpr const char* definition = "MeshLoadBalancingStrategy.FromZone";
  static void describe(Fields& fields, kuma::FromZone& from);
};
template <>
struct Grammar<kuma::ToZone> {
  static constexpr const char* definition = "MeshLoadBalancingStrategy.ToZone";
  static void describe(Fields& fields, kuma::ToZone& to);
};
template <>
struct Grammar<kuma::Failover> {
  static constexpr const char* definition = "MeshLoadBalancingStrategy.Failover";
  static void describe(Fields& fields, kuma::Failover& rule);
};
template <>
struct Grammar<kuma::FailoverThreshold> {
  static constexpr const char* definition = "MeshLoadBalancingStrategy.FailoverThreshold";
  static void describe(Fields& fields, kuma::FailoverThreshold& threshold);
};
template <>
struct Grammar<kuma::CrossZone> {
  static constexpr const char* definition = "MeshLoadBalancingStrategy.CrossZone";
  static void describe(Fields& fields, kuma::CrossZone& zone);
};
template <>
struct Grammar<kuma::LocalityAwareness> {
  static constexpr const char* definition = "MeshLoadBalancingStrategy.LocalityAwareness";
  static void describe(Fields& fields, kuma::LocalityAwareness& awareness);
};
template <>
struct Grammar<kuma::Header> {
  static constexpr const char* definition = "MeshLoadBalancingStrategy.Header";
  static void describe(Fields& fields, kuma::Header& header);
};
template <>
struct Grammar<kuma::Cookie> {
  static constexpr const char* definition = "MeshLoadBalancingStrategy.Cookie";
  static void describe(Fields& fields, kuma::Cookie& cookie);
};
template <>
struct Grammar<kuma::Connection> {
  static constexpr const char* definition = "MeshLoadBalancingStrategy.Connection";
  static void describe(Fields& fields, kuma::Connection& connection);
};
template <>
struct Grammar<kuma::QueryParameter> {
  static constexpr const char* definition = "MeshLoadBalancingStrategy.QueryParameter";
  static void describe(Fields& fields, kuma::QueryParameter& parameter);
};
template <>
struct Grammar<kuma::FilterState> {
  static constexpr const char* definition = "MeshLoadBalancingStrategy.FilterState";
  static void describe(Fields& fields, kuma::FilterState& state);
};
template <>
struct Grammar<kuma::HashPolicy> {
  static constexpr const char* definition = "MeshLoadBalancingStrategy.HashPolicy";
  static void describe(Fields& fields, kuma::HashPolicy& policy);
};
template <>
struct Grammar<kuma::LeastRequest> {
  static constexpr const char* definition = "MeshLoadBalancingStrategy.LeastRequest";
  static void describe(Fields& fields, kuma::LeastRequest& balancer);
};
template <>
struct Grammar<kuma::RingHash> {
  static constexpr const char* definition = "MeshLoadBalancingStrategy.RingHash";
  static void describe(Fields& fields, kuma::RingHash& balancer);
};
template <>
struct Grammar<kuma::Maglev> {
  static constexpr const char* definition = "MeshLoadBalancingStrategy.Maglev";
  static void describe(Fields& fields, kuma::Maglev& balancer);
};
template <>
struct Grammar<kuma::LoadBalancer> {
  static constexpr const char* definition = "MeshLoadBalancingStrategy.LoadBalancer";
  static void describe(Fields& fields, kuma::LoadBalancer& balancer);
};
template <>
struct Grammar<kuma::Conf> {
  static constexpr const char* definition = "MeshLoadBalancingStrategy.Conf";
  static void describe(Fields& fields, kuma::Conf& conf);
};
template <>
struct Grammar<kuma::To> {
  static constexpr const char* definition = "MeshLoadBalancingStrategy.To";
  static void describe(Fields& fields, kuma::To& item);
};
template <>
struct Grammar<kuma::MeshLoadBalancingStrategy> {
  static constexpr const char* definition = "MeshLoadBalancingStrategy.spec";
  static void describe(Fields& fields, kuma::MeshLoadBalancingStrategy& spec);
};

}  // namespace spillway::messages
