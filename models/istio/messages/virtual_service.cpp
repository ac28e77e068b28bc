#include "models/istio/messages/virtual_service.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace spillway::messages {

namespace {

using grammar::MapOf;
using grammar::Number;
using MatchKind = istio::StringMatch::Kind;
using Matches = MapOf<Message<istio::StringMatch>>;

const Items<grammar::Text> text_list{grammar::Text{0, 10'000}};

// The object {value: 50}.
struct Percentage {
  double value = 0.0;
};

struct Rewrite {
  std::string uri;
  std::string authority;
};

void matches(Fields& fields, const char* name, std::map<std::string, istio::StringMatch>& into,
             const char* documentation) {
  nested<Matches::Value>(fields, name, Matches{}, documentation, [&](const Matches::Value& entries) {
    for (const auto& entry : entries) {
      into[entry.name] = entry.value.value;
    }
  });
}

void string_match(Fields& fields, const char* name, std::optional<istio::StringMatch>& into,
                  const char* documentation) {
  optional(fields, name, into, Message<istio::StringMatch>{}, documentation);
}

}  // namespace

template <>
struct Grammar<Percentage> {
  static constexpr const char* definition = "istio.Percent";
  static void describe(Fields& fields, Percentage& percentage) {
    optional(fields, "value", percentage.value, Number{0.0, 100.0, {}, true}, "from 0 to 100");
  }
};
template <>
struct Grammar<Rewrite> {
  static constexpr const char* definition = "istio.HTTPRewrite";
  static void describe(Fields& fields, Rewrite& rewrite) {
    optional(fields, "uri", rewrite.uri, any_text, "instead of the path, or of its matched prefix");
    optional(fields, "authority", rewrite.authority, any_text, "instead of the host");
    fields.not_simulated("uriRegexRewrite", "a rewrite by regular expression is not supported");
  }
};

void Grammar<istio::StringMatch>::describe(Fields& fields, istio::StringMatch& object) {
  const std::pair<const char*, MatchKind> kinds[] = {
      {"exact", MatchKind::exact}, {"prefix", MatchKind::prefix}, {"regex", MatchKind::regex}};
  for (const auto& [name, kind] : kinds) {
    const MatchKind meant = kind;
    nested<std::string>(fields, name, any_text, "the value to match",
                        [&, meant](std::string text) { object = {meant, std::move(text)}; });
  }
  fields.at_most_one({"exact", "prefix", "regex"});
}

void Grammar<istio::HttpMatchRequest>::describe(Fields& fields, istio::HttpMatchRequest& object) {
  optional(fields, "name", object.name, any_text, "of the match");
  string_match(fields, "uri", object.uri, "the path");
  string_match(fields, "scheme", object.scheme, "http or https");
  string_match(fields, "method", object.method, "of the request");
  string_match(fields, "authority", object.authority, "the requested host");
  matches(fields, "headers", object.headers, "that the request has");
  matches(fields, "withoutHeaders", object.withoutHeaders, "that the request does not have");
  matches(fields, "queryParams", object.queryParams, "that the path has");
  optional(fields, "port", object.port, Uint32{}, "of the service");
  optional(fields, "sourceLabels", object.sourceLabels, TagMap{}, "of the client");
  optional(fields, "sourceNamespace", object.sourceNamespace, any_text, "of the client");
  optional(fields, "gateways", object.gateways, text_list, "mesh, for sidecars");
  optional(fields, "ignoreUriCase", object.ignoreUriCase, flag, "default: false");
  fields.without_influence({"statPrefix"});
}

void Grammar<istio::Destination>::describe(Fields& fields, istio::Destination& object) {
  required(fields, "host", object.host, any_text, "of the service");
  optional(fields, "subset", object.subset, any_text, "of its DestinationRule");
  nested<PortSelector>(fields, "port", Message<PortSelector>{}, "of the service",
                       [&](const PortSelector& port) { object.port = port.number; });
}

void Grammar<istio::RouteDestination>::describe(Fields& fields, istio::RouteDestination& object) {
  required(fields, "destination", object.destination, Message<istio::Destination>{}, "where requests go");
  optional(fields, "weight", object.weight, Uint32{}, "against the other destinations");
  fields.without_influence({"headers"});
}

void Grammar<istio::HttpRetry>::describe(Fields& fields, istio::HttpRetry& object) {
  optional(fields, "attempts", object.attempts, Uint32{}, "default: 0, which is no retries");
  optional(fields, "perTryTimeout", object.perTryTimeout, GoDuration{}, "of each attempt");
  optional(fields, "retryOn", object.retryOn, any_text, "conditions and status codes");
  optional(fields, "retryRemoteLocalities", object.retryRemoteLocalities, flag, "other priorities first");
  optional(fields, "retryIgnorePreviousHosts", object.retryIgnorePreviousHosts, flag, "default: true");
  optional(fields, "backoff", object.backoff, GoDuration{}, "default: 25ms");
}

void Grammar<istio::Mirror>::describe(Fields& fields, istio::Mirror& object) {
  required(fields, "destination", object.destination, Message<istio::Destination>{}, "where copies go");
  nested<Percentage>(fields, "percentage", Message<Percentage>{}, "default: 100",
                     [&](const Percentage& percentage) { object.percentage = percentage.value; });
}

void Grammar<istio::HttpFault::Delay>::describe(Fields& fields, istio::HttpFault::Delay& object) {
  nested<Percentage>(fields, "percentage", Message<Percentage>{}, "of the requests",
                     [&](const Percentage& percentage) { object.percentage = percentage.value; });
  optional(fields, "percent", object.percentage, Number{0.0, 100.0, {}, true}, "of an older Istio");
  optional(fields, "fixedDelay", object.fixedDelay, GoDuration{}, "before the request is sent on");
}

void Grammar<istio::HttpFault::Abort>::describe(Fields& fields, istio::HttpFault::Abort& object) {
  nested<Percentage>(fields, "percentage", Message<Percentage>{}, "of the requests",
                     [&](const Percentage& percentage) { object.percentage = percentage.value; });
  optional(fields, "httpStatus", object.httpStatus, Uint32{}, "of the answer");
  optional(fields, "grpcStatus", object.grpcStatus, any_text, "of the answer, for gRPC");
}

void Grammar<istio::HttpFault>::describe(Fields& fields, istio::HttpFault& object) {
  optional(fields, "delay", object.delay, Message<istio::HttpFault::Delay>{}, "requests that wait");
  optional(fields, "abort", object.abort, Message<istio::HttpFault::Abort>{}, "requests that the proxy answers itself");
}

void Grammar<istio::HttpRoute>::describe(Fields& fields, istio::HttpRoute& object) {
  optional(fields, "name", object.name, any_text, "of the route");
  optional(fields, "match", object.match, Items<Message<istio::HttpMatchRequest>>{}, "any of them; default: all");
  optional(fields, "route", object.route, Items<Message<istio::RouteDestination>>{}, "destinations by weight");
  optional(fields, "timeout", object.timeout, GoDuration{}, "default: none");
  optional(fields, "retries", object.retries, Message<istio::HttpRetry>{}, "default: the mesh's");
  nested<istio::Destination>(
      fields, "mirror", Message<istio::Destination>{}, "where copies go",
      [&](istio::Destination destination) { object.mirrors.push_back({.destination = std::move(destination)}); });
  nested<Percentage>(fields, "mirrorPercentage", Message<Percentage>{}, "default: 100",
                     [&](const Percentage& percentage) {
                       for (istio::Mirror& mirror : object.mirrors) {
                         mirror.percentage = percentage.value;
                       }
                     });
  nested<std::vector<istio::Mirror>>(fields, "mirrors", Items<Message<istio::Mirror>>{}, "where copies go",
                                     [&](const std::vector<istio::Mirror>& mirrors) {
                                       object.mirror_and_mirrors = !object.mirrors.empty() && !mirrors.empty();
                                       object.mirrors.insert(object.mirrors.end(), mirrors.begin(), mirrors.end());
                                     });
  optional(fields, "fault", object.fault, Message<istio::HttpFault>{}, "delays and answers that are made up");
  nested<Rewrite>(fields, "rewrite", Message<Rewrite>{}, "path and host that are sent on", [&](const Rewrite& rewrite) {
    object.rewrites = true;
    object.rewrite_uri = rewrite.uri;
    object.rewrite_authority = rewrite.authority;
  });
  fields.without_influence({"corsPolicy", "headers", "redirect", "directResponse", "delegate"});
  for (const char* const name : {"redirect", "directResponse", "delegate"}) {
    if (fields.object() != nullptr && fields.object()->find(name) != nullptr) {
      object.other = name;
    }
  }
}

void Grammar<istio::TcpMatch>::describe(Fields& fields, istio::TcpMatch& object) {
  optional(fields, "port", object.port, Uint32{}, "of the service");
  optional(fields, "sourceLabels", object.sourceLabels, TagMap{}, "of the client");
  optional(fields, "sourceNamespace", object.sourceNamespace, any_text, "of the client");
  optional(fields, "gateways", object.gateways, text_list, "mesh, for sidecars");
  fields.without_influence({"destinationSubnets", "sourceSubnet"});
}

void Grammar<istio::TcpRoute>::describe(Fields& fields, istio::TcpRoute& object) {
  optional(fields, "match", object.match, Items<Message<istio::TcpMatch>>{}, "any of them; default: all");
  optional(fields, "route", object.route, Items<Message<istio::RouteDestination>>{}, "destinations by weight");
}

void Grammar<istio::VirtualService>::describe(Fields& fields, istio::VirtualService& object) {
  optional(fields, "hosts", object.hosts, text_list, "that clients request");
  optional(fields, "gateways", object.gateways, text_list, "default: mesh, for sidecars");
  optional(fields, "exportTo", object.exportTo, text_list, "namespaces of clients; default: all");
  optional(fields, "http", object.http, Items<Message<istio::HttpRoute>>{}, "in order");
  optional(fields, "tcp", object.tcp, Items<Message<istio::TcpRoute>>{}, "in order");
  fields.without_influence({"tls"});
  const documents::Member* const tls = fields.object() == nullptr ? nullptr : fields.object()->find("tls");
  object.tls = tls != nullptr && !tls->value.items.empty();
}

}  // namespace spillway::messages
