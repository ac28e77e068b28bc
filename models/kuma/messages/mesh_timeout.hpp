// The grammar of the spec of a MeshTimeout, verbatim.
#pragma once

#include "models/envoy/api/grammar_of.hpp"
#include "models/kuma/mesh_timeout.hpp"

namespace spillway::messages {

template <>
struct Grammar<kuma::HttpTimeouts> {
  static constexpr const char* definition = "MeshTimeout.Http";
  static void describe(Fields& fields, kuma::HttpTimeouts& object);
};
template <>
struct Grammar<kuma::TimeoutConf> {
  static constexpr const char* definition = "MeshTimeout.Conf";
  static void describe(Fields& fields, kuma::TimeoutConf& object);
};
template <>
struct Grammar<kuma::TargetedItem<kuma::TimeoutConf>> {
  static constexpr const char* definition = "MeshTimeout.To";
  static void describe(Fields& fields, kuma::TargetedItem<kuma::TimeoutConf>& object);
};
template <>
struct Grammar<kuma::TimeoutRule> {
  static constexpr const char* definition = "MeshTimeout.Rule";
  static void describe(Fields& fields, kuma::TimeoutRule& object);
};

struct MeshTimeoutSpec {
  kuma::MeshTimeout outbound = {};
  kuma::InboundTimeouts inbound = {};
};
template <>
struct Grammar<MeshTimeoutSpec> {
  static constexpr const char* definition = "MeshTimeout.spec";
  static void describe(Fields& fields, MeshTimeoutSpec& object);
};

}  // namespace spillway::messages
