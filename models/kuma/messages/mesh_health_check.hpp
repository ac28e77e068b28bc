// The grammar of the spec of a MeshHealthCheck, verbatim.
#pragma once

#include "models/envoy/api/grammar_of.hpp"
#include "models/kuma/mesh_health_check.hpp"

namespace spillway::messages {

template <>
struct Grammar<kuma::TcpHealthCheck> {
  static constexpr const char* definition = "MeshHealthCheck.TcpHealthCheck";
  static void describe(Fields& fields, kuma::TcpHealthCheck& object);
};
template <>
struct Grammar<kuma::HttpHealthCheck> {
  static constexpr const char* definition = "MeshHealthCheck.HttpHealthCheck";
  static void describe(Fields& fields, kuma::HttpHealthCheck& object);
};
template <>
struct Grammar<kuma::GrpcHealthCheck> {
  static constexpr const char* definition = "MeshHealthCheck.GrpcHealthCheck";
  static void describe(Fields& fields, kuma::GrpcHealthCheck& object);
};
template <>
struct Grammar<kuma::HealthCheckConf> {
  static constexpr const char* definition = "MeshHealthCheck.Conf";
  static void describe(Fields& fields, kuma::HealthCheckConf& object);
};
template <>
struct Grammar<kuma::TargetedItem<kuma::HealthCheckConf>> {
  static constexpr const char* definition = "MeshHealthCheck.To";
  static void describe(Fields& fields, kuma::TargetedItem<kuma::HealthCheckConf>& object);
};
template <>
struct Grammar<kuma::MeshHealthCheck> {
  static constexpr const char* definition = "MeshHealthCheck.spec";
  static void describe(Fields& fields, kuma::MeshHealthCheck& object);
};

}  // namespace spillway::messages
