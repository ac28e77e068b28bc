// The grammars of the specs of a MeshHTTPRoute and of a MeshTCPRoute, verbatim.
#pragma once

#include <string>
#include <vector>

#include "models/envoy/api/grammar_of.hpp"
#include "models/kuma/mesh_http_route.hpp"
#include "models/kuma/mesh_tcp_route.hpp"

namespace spillway::messages {

template <>
struct Grammar<kuma::PathMatch> {
  static constexpr const char* definition = "MeshHTTPRoute.PathMatch";
  static void describe(Fields& fields, kuma::PathMatch& object);
};
template <>
struct Grammar<kuma::QueryParamsMatch> {
  static constexpr const char* definition = "MeshHTTPRoute.QueryParamsMatch";
  static void describe(Fields& fields, kuma::QueryParamsMatch& object);
};
template <>
struct Grammar<kuma::HeaderMatch> {
  static constexpr const char* definition = "MeshHTTPRoute.HeaderMatch";
  static void describe(Fields& fields, kuma::HeaderMatch& object);
};
template <>
struct Grammar<kuma::HttpMatch> {
  static constexpr const char* definition = "MeshHTTPRoute.Match";
  static void describe(Fields& fields, kuma::HttpMatch& object);
};
template <>
struct Grammar<kuma::HeaderKeyValue> {
  static constexpr const char* definition = "MeshHTTPRoute.HeaderKeyValue";
  static void describe(Fields& fields, kuma::HeaderKeyValue& object);
};
template <>
struct Grammar<kuma::HeaderModifier> {
  static constexpr const char* definition = "MeshHTTPRoute.HeaderModifier";
  static void describe(Fields& fields, kuma::HeaderModifier& object);
};
template <>
struct Grammar<kuma::PathRewrite> {
  static constexpr const char* definition = "MeshHTTPRoute.PathRewrite";
  static void describe(Fields& fields, kuma::PathRewrite& object);
};
template <>
struct Grammar<kuma::UrlRewrite> {
  static constexpr const char* definition = "MeshHTTPRoute.URLRewrite";
  static void describe(Fields& fields, kuma::UrlRewrite& object);
};
template <>
struct Grammar<kuma::HttpFilter> {
  static constexpr const char* definition = "MeshHTTPRoute.Filter";
  static void describe(Fields& fields, kuma::HttpFilter& object);
};
template <>
struct Grammar<kuma::HttpRule> {
  static constexpr const char* definition = "MeshHTTPRoute.Rule";
  static void describe(Fields& fields, kuma::HttpRule& object);
};
template <>
struct Grammar<kuma::TargetedItem<kuma::HttpRouteConf>> {
  static constexpr const char* definition = "MeshHTTPRoute.To";
  static void describe(Fields& fields, kuma::TargetedItem<kuma::HttpRouteConf>& object);
};
template <>
struct Grammar<kuma::MeshHTTPRoute> {
  static constexpr const char* definition = "MeshHTTPRoute.spec";
  static void describe(Fields& fields, kuma::MeshHTTPRoute& object);
};
template <>
struct Grammar<kuma::TcpRule> {
  static constexpr const char* definition = "MeshTCPRoute.Rule";
  static void describe(Fields& fields, kuma::TcpRule& object);
};
template <>
struct Grammar<kuma::TargetedItem<kuma::TcpRouteConf>> {
  static constexpr const char* definition = "MeshTCPRoute.To";
  static void describe(Fields& fields, kuma::TargetedItem<kuma::TcpRouteConf>& object);
};
template <>
struct Grammar<kuma::MeshTCPRoute> {
  static constexpr const char* definition = "MeshTCPRoute.spec";
  static void describe(Fields& fields, kuma::MeshTCPRoute& object);
};

}  // namespace spillway::messages
