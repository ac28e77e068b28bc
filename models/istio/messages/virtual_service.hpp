// The grammar of the spec of a VirtualService, verbatim, as sidecars use it.
#pragma once

#include "models/istio/messages/shapes.hpp"
#include "models/istio/virtual_service.hpp"

namespace spillway::messages {

template <>
struct Grammar<istio::StringMatch> {
  static constexpr const char* definition = "istio.StringMatch";
  static void describe(Fields& fields, istio::StringMatch& object);
};
template <>
struct Grammar<istio::HttpMatchRequest> {
  static constexpr const char* definition = "istio.HTTPMatchRequest";
  static void describe(Fields& fields, istio::HttpMatchRequest& object);
};
template <>
struct Grammar<istio::Destination> {
  static constexpr const char* definition = "istio.Destination";
  static void describe(Fields& fields, istio::Destination& object);
};
template <>
struct Grammar<istio::RouteDestination> {
  static constexpr const char* definition = "istio.RouteDestination";
  static void describe(Fields& fields, istio::RouteDestination& object);
};
template <>
struct Grammar<istio::HttpRetry> {
  static constexpr const char* definition = "istio.HTTPRetry";
  static void describe(Fields& fields, istio::HttpRetry& object);
};
template <>
struct Grammar<istio::Mirror> {
  static constexpr const char* definition = "istio.HTTPMirrorPolicy";
  static void describe(Fields& fields, istio::Mirror& object);
};
template <>
struct Grammar<istio::HttpFault::Delay> {
  static constexpr const char* definition = "istio.HTTPFaultInjection.Delay";
  static void describe(Fields& fields, istio::HttpFault::Delay& object);
};
template <>
struct Grammar<istio::HttpFault::Abort> {
  static constexpr const char* definition = "istio.HTTPFaultInjection.Abort";
  static void describe(Fields& fields, istio::HttpFault::Abort& object);
};
template <>
struct Grammar<istio::HttpFault> {
  static constexpr const char* definition = "istio.HTTPFaultInjection";
  static void describe(Fields& fields, istio::HttpFault& object);
};
template <>
struct Grammar<istio::HttpRoute> {
  static constexpr const char* definition = "istio.HTTPRoute";
  static void describe(Fields& fields, istio::HttpRoute& object);
};
template <>
struct Grammar<istio::TcpMatch> {
  static constexpr const char* definition = "istio.L4MatchAttributes";
  static void describe(Fields& fields, istio::TcpMatch& object);
};
template <>
struct Grammar<istio::TcpRoute> {
  static constexpr const char* definition = "istio.TCPRoute";
  static void describe(Fields& fields, istio::TcpRoute& object);
};
template <>
struct Grammar<istio::VirtualService> {
  static constexpr const char* definition = "istio.VirtualService";
  static void describe(Fields& fields, istio::VirtualService& object);
};

}  // namespace spillway::messages
