#include "models/kuma/messages/mesh_timeout.hpp"

#include "models/kuma/messages/shapes.hpp"
#include "models/kuma/messages/target_ref.hpp"

namespace spillway::messages {

void Grammar<kuma::HttpTimeouts>::describe(Fields& fields, kuma::HttpTimeouts& http) {
  optional(fields, "requestTimeout", http.requestTimeout, GoDuration{}, "of a whole request; default: 15s; 0s: none");
  optional(fields, "streamIdleTimeout", http.streamIdleTimeout, GoDuration{}, "without activity; default: 30m");
  optional(fields, "maxStreamDuration", http.maxStreamDuration, GoDuration{}, "of one attempt; default: none");
  optional(fields, "maxConnectionDuration", http.maxConnectionDuration, GoDuration{},
           "checked; has no influence on where requests go");
  optional(fields, "requestHeadersTimeout", http.requestHeadersTimeout, GoDuration{},
           "checked; has no influence on where requests go");
}

void Grammar<kuma::TimeoutConf>::describe(Fields& fields, kuma::TimeoutConf& conf) {
  optional(fields, "connectionTimeout", conf.connectionTimeout, GoDuration{},
           "default: 5s; checked; a connection here is made or refused at once");
  optional(fields, "idleTimeout", conf.idleTimeout, GoDuration{}, "of connections; default: 1h");
  optional(fields, "http", conf.http, Message<kuma::HttpTimeouts>{}, "of destinations of http, http2 and grpc");
}

void Grammar<kuma::TargetedItem<kuma::TimeoutConf>>::describe(Fields& fields,
                                                              kuma::TargetedItem<kuma::TimeoutConf>& item) {
  optional(fields, "targetRef", item.targetRef, Message<kuma::TargetRef>{}, "the destination");
  optional(fields, "default", item.default_, Message<kuma::TimeoutConf>{}, "what is set for it");
}

void Grammar<kuma::TimeoutRule>::describe(Fields& fields, kuma::TimeoutRule& rule) {
  optional(fields, "default", rule.default_, Message<kuma::TimeoutConf>{}, "what is set for it");
  fields.without_influence({"matches"});
}

void Grammar<MeshTimeoutSpec>::describe(Fields& fields, MeshTimeoutSpec& spec) {
  using Item = kuma::TargetedItem<kuma::TimeoutConf>;
  optional(fields, "targetRef", spec.outbound.targetRef, Message<kuma::TargetRef>{}, "whose; default: the whole mesh");
  optional(fields, "to", spec.outbound.to, Items<Message<Item>>{.help = to_is_a_list},
           "what is set for which destinations");
  optional(fields, "from", spec.inbound.from, Items<Message<Item>>{}, "of requests that come in; checked (2.14)");
  optional(fields, "rules", spec.inbound.rules, Items<Message<kuma::TimeoutRule>>{},
           "of requests that come in; checked");
}

}  // namespace spillway::messages
