#include "sim/scenario/written/kuma/routes.hpp"

namespace spillway::scenario::written {

namespace {

const Word path_types{{"Exact", "PathPrefix", "RegularExpression"}};
const Word query_types{{"Exact", "RegularExpression"}};
const Word header_types{{"Exact", "Present", "RegularExpression", "Absent", "Prefix"}};
const Word methods{{"CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"}};
const Word filter_types{{"RequestHeaderModifier", "ResponseHeaderModifier", "URLRewrite"},
                        {"RequestRedirect", "RequestMirror"}};

// A header that a filter sets or adds.
struct HeaderKeyValue {
  static constexpr const char* definition = "MeshHTTPRoute.HeaderKeyValue";
  std::string name;
};

void describe(Fields& fields, HeaderKeyValue& header) {
  required(fields, "name", header.name, any_text, "of the header");
  fields.without_influence({"value"});
}

struct HeaderModifier {
  static constexpr const char* definition = "MeshHTTPRoute.HeaderModifier";
  std::vector<HeaderKeyValue> set;
  std::vector<HeaderKeyValue> add;
  std::vector<std::string> remove;
};

void describe(Fields& fields, HeaderModifier& modifier) {
  optional(fields, "set", modifier.set, Items<grammar::Record<HeaderKeyValue>>{}, "headers with a new value");
  optional(fields, "add", modifier.add, Items<grammar::Record<HeaderKeyValue>>{}, "headers with a further value");
  optional(fields, "remove", modifier.remove, Items<grammar::Text>{any_text}, "headers that are taken away");
}

// default of a rule.
struct HttpDefault {
  static constexpr const char* definition = "MeshHTTPRoute.RuleConf";
  std::vector<HttpFilter> filters;
  std::optional<std::vector<kuma::BackendRef>> backendRefs;
};

void describe(Fields& fields, HttpDefault& conf) {
  optional(fields, "filters", conf.filters, Items<Message<HttpFilter>>{}, "what is changed of a request or an answer");
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

void Grammar<HttpFilter>::describe(Fields& fields, HttpFilter& filter) {
  HeaderModifier modifier;
  required(fields, "type", filter.type, filter_types, "the filter's kind");
  optional(fields, "requestHeaderModifier", modifier, grammar::Record<HeaderModifier>{},
           "of type RequestHeaderModifier");
  fields.without_influence({"responseHeaderModifier", "urlRewrite"});
  for (const auto* const headers : {&modifier.set, &modifier.add}) {
    for (const HeaderKeyValue& header : *headers) {
      filter.changed_headers.push_back(header.name);
    }
  }
  filter.changed_headers.insert(filter.changed_headers.end(), modifier.remove.begin(), modifier.remove.end());
}

void Grammar<kuma::HttpRule>::describe(Fields& fields, kuma::HttpRule& rule) {
  HttpDefault conf;
  required(fields, "matches", rule.matches, Items<Message<kuma::HttpMatch>>{}, "one of them must fit");
  required(fields, "default", conf, grammar::Record<HttpDefault>{}, "what happens to the requests");
  rule.backendRefs = std::move(conf.backendRefs);
  for (const HttpFilter& filter : conf.filters) {
    rule.changed_headers.insert(rule.changed_headers.end(), filter.changed_headers.begin(),
                                filter.changed_headers.end());
  }
}

void Grammar<kuma::TargetedItem<kuma::HttpRouteConf>>::describe(Fields& fields,
                                                                kuma::TargetedItem<kuma::HttpRouteConf>& item) {
  optional(fields, "targetRef", item.targetRef, Message<kuma::TargetRef>{}, "the destination");
  required(fields, "rules", item.default_.rules, Items<Message<kuma::HttpRule>>{}, "which requests go where");
  fields.not_played("hostnames", "only builtin gateways have hostnames");
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

}  // namespace spillway::scenario::written
