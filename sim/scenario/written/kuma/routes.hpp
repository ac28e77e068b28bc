// spec of a MeshHTTPRoute and of a MeshTCPRoute, verbatim.
#pragma once

#include <string>
#include <vector>

#include "models/kuma/mesh_http_route.hpp"
#include "models/kuma/mesh_tcp_route.hpp"
#include "sim/scenario/written/kuma/shapes.hpp"
#include "sim/scenario/written/kuma/target_ref.hpp"

namespace spillway::scenario::written {

// An entry of a rule's filters. Those that send a request, or a copy of it, elsewhere are not supported.
struct HttpFilter {
  std::string type;
  std::vector<std::string> changed_headers;  // of requestHeaderModifier
};

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
struct Grammar<HttpFilter> {
  static constexpr const char* definition = "MeshHTTPRoute.Filter";
  static void describe(Fields& fields, HttpFilter& object);
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

}  // namespace spillway::scenario::written
