// The grammar of the spec of a DestinationRule, verbatim; parts of it occur in the mesh's configuration too.
// models/istio/validation.hpp restricts the numbers and words in it, in istiod's own messages.
#pragma once

#include "models/istio/destination_rule.hpp"
#include "models/istio/messages/shapes.hpp"

namespace spillway::messages {

template <>
struct Grammar<istio::LocalityLbSetting::Distribute> {
  static constexpr const char* definition = "istio.LocalityLoadBalancerSetting.Distribute";
  static void describe(Fields& fields, istio::LocalityLbSetting::Distribute& object);
};
template <>
struct Grammar<istio::LocalityLbSetting::Failover> {
  static constexpr const char* definition = "istio.LocalityLoadBalancerSetting.Failover";
  static void describe(Fields& fields, istio::LocalityLbSetting::Failover& object);
};
template <>
struct Grammar<istio::LocalityLbSetting> {
  static constexpr const char* definition = "istio.LocalityLoadBalancerSetting";
  static void describe(Fields& fields, istio::LocalityLbSetting& object);
};
template <>
struct Grammar<istio::ZoneAwareLbSetting> {
  static constexpr const char* definition = "istio.ZoneAwareLoadBalancerSetting";
  static void describe(Fields& fields, istio::ZoneAwareLbSetting& object);
};
template <>
struct Grammar<istio::ConsistentHash::Cookie> {
  static constexpr const char* definition = "istio.ConsistentHashLB.HTTPCookie";
  static void describe(Fields& fields, istio::ConsistentHash::Cookie& object);
};
template <>
struct Grammar<istio::ConsistentHash> {
  static constexpr const char* definition = "istio.ConsistentHashLB";
  static void describe(Fields& fields, istio::ConsistentHash& object);
};
template <>
struct Grammar<istio::Warmup> {
  static constexpr const char* definition = "istio.WarmupConfiguration";
  static void describe(Fields& fields, istio::Warmup& object);
};
template <>
struct Grammar<istio::LoadBalancerSettings> {
  static constexpr const char* definition = "istio.LoadBalancerSettings";
  static void describe(Fields& fields, istio::LoadBalancerSettings& object);
};
template <>
struct Grammar<istio::ConnectionPool::Tcp> {
  static constexpr const char* definition = "istio.ConnectionPoolSettings.TCPSettings";
  static void describe(Fields& fields, istio::ConnectionPool::Tcp& object);
};
template <>
struct Grammar<istio::ConnectionPool::Http> {
  static constexpr const char* definition = "istio.ConnectionPoolSettings.HTTPSettings";
  static void describe(Fields& fields, istio::ConnectionPool::Http& object);
};
template <>
struct Grammar<istio::ConnectionPool> {
  static constexpr const char* definition = "istio.ConnectionPoolSettings";
  static void describe(Fields& fields, istio::ConnectionPool& object);
};
template <>
struct Grammar<istio::OutlierDetection> {
  static constexpr const char* definition = "istio.OutlierDetection";
  static void describe(Fields& fields, istio::OutlierDetection& object);
};
template <>
struct Grammar<istio::RetryBudget> {
  static constexpr const char* definition = "istio.RetryBudget";
  static void describe(Fields& fields, istio::RetryBudget& object);
};
template <>
struct Grammar<istio::TrafficPolicy> {
  static constexpr const char* definition = "istio.TrafficPolicy";
  static void describe(Fields& fields, istio::TrafficPolicy& object);
};
template <>
struct Grammar<istio::PortTrafficPolicy> {
  static constexpr const char* definition = "istio.PortTrafficPolicy";
  static void describe(Fields& fields, istio::PortTrafficPolicy& object);
};
template <>
struct Grammar<istio::Subset> {
  static constexpr const char* definition = "istio.Subset";
  static void describe(Fields& fields, istio::Subset& object);
};
template <>
struct Grammar<istio::DestinationRule> {
  static constexpr const char* definition = "istio.DestinationRule";
  static void describe(Fields& fields, istio::DestinationRule& object);
};

}  // namespace spillway::messages
