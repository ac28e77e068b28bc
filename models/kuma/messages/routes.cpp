#include "models/kuma/messages/routes.hpp"

#include "models/kuma/messages/shapes.hpp"
#include "models/kuma/messages/target_ref.hpp"

namespace spillway::messages {

namespace {

const Word path_types{{"Exact", "PathPrefix", "RegularExpression"}};
const Word query_types{{"Exact", "RegularExpression"}};
const Word header_types{{"Exact", "Present", "RegularExpression", "Absent", "Prefix"}};
const Word methods{{"CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"}};
const Word filter_types{{"RequestHeaderModifier", "ResponseHeaderModifier", "URLRewrite", "RequestMirror"},
                        {"RequestRedirect"}};

const Word path_rewrite_types{{"ReplaceFullPath", "ReplacePrefixMatch"}};

void add_changed_headers(const kuma::HeaderModifier& modifier, std::vector<std::string>& headers) {
  for (const auto* const changed : {&modifier.set, &modifier.add}) {
    for (const kuma::HeaderKeyValue& header : changed->value_or(std::vector<kuma::HeaderKeyValue>{})) {
      headers.push_back(header.name);
    }
  }
  const auto removed = modifier.remove.value_or(std::vector<std::string>{});
  headers.insert(headers.end(), removed.begin(), removed.end());
}

// The `default` of a rule.
struct HttpDefault {
  static constexpr const char* definition = "MeshHTTPRoute.RuleConf";
  std::vector<kuma::HttpFilter> filters;
  std::optional<std::vector<kuma::BackendRef>> backendRefs;
};

void describe(Fields& fields, HttpDefault& conf) {
  optional(fields, "filters", conf.filters, Items<Message<kuma::HttpFilter>>{},
           "what is changed of a request or an answer");
  optional(fields, "backendRefs", conf.backendRefs, Items<Message<kuma::BackendRef>>{},
           "where requests go; default: to the destination");
}

struct TcpDefault {
  static constexpr const char* definition = "MeshTCPRoute.RuleConf";
  std::optional<std::vector<kuma::BackendRef>> backendRefs;
};

void describe(Fields& fields, TcpDefault& conf) {
  optional(fields, "backendRefs", conf.backendRefs, Items<Message<kuma::BackendRef>>{}, "where connections go");
}

}  // namespace

void Grammar<kuma::PathMatch>::describe(Fields& fields, kuma::PathMatch& path) {
  required(fields, "type", path.type, path_types, "how the value is compared");
  required(fields, "value", path.value, any_text, "PathPrefix /a takes /a and what is below it");
}

void Grammar<kuma::QueryParamsMatch>::describe(Fields& fields, kuma::QueryParamsMatch& match) {
  required(fields, "type", match.type, query_types, "how the value is compared");
  required(fields, "name", match.name, any_text, "of the parameter");
  required(fields, "value", match.value, any_text, "of the parameter");
}

void Grammar<kuma::HeaderMatch>::describe(Fields& fields, kuma::HeaderMatch& match) {
  optional(fields, "type", match.type, header_types, "how the value is compared; default: Exact");
  required(fields, "name", match.name, any_text, "of the header");
  optional(fields, "value", match.value, any_text, "of the header");
}

void Grammar<kuma::HttpMatch>::describe(Fields& fields, kuma::HttpMatch& match) {
  optional(fields, "path", match.path, Message<kuma::PathMatch>{}, "default: every path");
  optional(fields, "method", match.method, methods, "default: every method");
  optional(fields, "queryParams", match.queryParams, Items<Message<kuma::QueryParamsMatch>>{}, "all of them must fit");
  optional(fields, "headers", match.headers, Items<Message<kuma::HeaderMatch>>{}, "all of them must fit");
}

void Grammar<kuma::HeaderKeyValue>::describe(Fields& fields, kuma::HeaderKeyValue& header) {
  required(fields, "name", header.name, any_text, "of the header");
  optional(fields, "value", header.value, any_text, "of the header; has no influence on where requests go");
}

void Grammar<kuma::HeaderModifier>::describe(Fields& fields, kuma::HeaderModifier& modifier) {
  using Headers = Items<Message<kuma::HeaderKeyValue>>;
  optional(fields, "set", modifier.set, Headers{}, "headers with a new value");
  optional(fields, "add", modifier.add, Headers{}, "headers with a further value");
  optional(fields, "remove", modifier.remove, Items<grammar::Text>{any_text}, "headers that are taken away");
}

void Grammar<kuma::PathRewrite>::describe(Fields& fields, kuma::PathRewrite& path) {
  optional(fields, "type", path.type, path_rewrite_types, "what is replaced");
  optional(fields, "replaceFullPath", path.replaceFullPath, any_text, "the new path");
  optional(fields, "replacePrefixMatch", path.replacePrefixMatch, any_text, "of a path that was matched by a prefix");
}

void Grammar<kuma::UrlRewrite>::describe(Fields& fields, kuma::UrlRewrite& rewrite) {
  optional(fields, "hostname", rewrite.hostname, any_text, "a name, not an address");
  optional(fields, "path", rewrite.path, Message<kuma::PathRewrite>{}, "how the path is rewritten");
  optional(fields, "hostToBackendHostname", rewrite.hostToBackendHostname, grammar::Flag{},
           "of gateways' routes alone (2.14)");
}

void Grammar<kuma::HttpFilter>::describe(Fields& fields, kuma::HttpFilter& filter) {
  required(fields, "type", filter.type, filter_types, "the filter's kind");
  optional(fields, "requestHeaderModifier", filter.requestHeaderModifier, Message<kuma::HeaderModifier>{},
           "of type RequestHeaderModifier");
  optional(fields, "responseHeaderModifier", filter.responseHeaderModifier, Message<kuma::HeaderModifier>{},
           "of type ResponseHeaderModifier; checked; has no influence on where requests go");
  optional(fields, "urlRewrite", filter.urlRewrite, Message<kuma::UrlRewrite>{},
           "of type URLRewrite; checked; has no influence on where requests go");
  grammar::Field<const documents::Node*> mirror;
  fields.optional("requestMirror", mirror, Unread{}, "of type RequestMirror; the copies are not simulated");
  filter.has_mirror = filter.has_mirror || mirror.present;
}

void Grammar<kuma::HttpRule>::describe(Fields& fields, kuma::HttpRule& rule) {
  HttpDefault conf;
  required(fields, "matches", rule.matches, Items<Message<kuma::HttpMatch>>{}, "one of them must fit");
  required(fields, "default", conf, grammar::Record<HttpDefault>{}, "what happens to the requests");
  rule.backendRefs = std::move(conf.backendRefs);
  rule.filters = std::move(conf.filters);
  for (const kuma::HttpFilter& filter : rule.filters) {
    if (filter.requestHeaderModifier) {
      add_changed_headers(*filter.requestHeaderModifier, rule.changed_headers);
    }
  }
}

void Grammar<kuma::TargetedItem<kuma::HttpRouteConf>>::describe(Fields& fields,
                                                                kuma::TargetedItem<kuma::HttpRouteConf>& item) {
  optional(fields, "targetRef", item.targetRef, Message<kuma::TargetRef>{}, "the destination");
  required(fields, "rules", item.default_.rules, Items<Message<kuma::HttpRule>>{}, "which requests go where");
  fields.not_simulated("hostnames", "only builtin gateways have hostnames");
}

void Grammar<kuma::MeshHTTPRoute>::describe(Fields& fields, kuma::MeshHTTPRoute& policy) {
  optional(fields, "targetRef", policy.targetRef, Message<kuma::TargetRef>{}, "whose; default: the whole mesh");
  optional(fields, "to", policy.to, Items<Message<kuma::TargetedItem<kuma::HttpRouteConf>>>{.help = to_is_a_list},
           "which destinations");
}

void Grammar<kuma::TcpRule>::describe(Fields& fields, kuma::TcpRule& rule) {
  TcpDefault conf;
  required(fields, "default", conf, grammar::Record<TcpDefault>{}, "what happens to the connections");
  rule.backendRefs = std::move(conf.backendRefs);
}

void Grammar<kuma::TargetedItem<kuma::TcpRouteConf>>::describe(Fields& fields,
                                                               kuma::TargetedItem<kuma::TcpRouteConf>& item) {
  optional(fields, "targetRef", item.targetRef, Message<kuma::TargetRef>{}, "the destination");
  optional(fields, "rules", item.default_.rules, Items<Message<kuma::TcpRule>>{}, "one at most");
}

void Grammar<kuma::MeshTCPRoute>::describe(Fields& fields, kuma::MeshTCPRoute& policy) {
  optional(fields, "targetRef", policy.targetRef, Message<kuma::TargetRef>{}, "whose; default: the whole mesh");
  optional(fields, "to", policy.to, Items<Message<kuma::TargetedItem<kuma::TcpRouteConf>>>{.help = to_is_a_list},
           "which destinations");
}

}  // namespace spillway::messages
