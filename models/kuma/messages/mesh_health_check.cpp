#include "models/kuma/messages/mesh_health_check.hpp"

#include "models/kuma/messages/routes.hpp"
#include "models/kuma/messages/shapes.hpp"
#include "models/kuma/messages/target_ref.hpp"

namespace spillway::messages {

using grammar::Flag;

namespace {

constexpr Uint32 int32{0, 2'147'483'647};

}  // namespace

void Grammar<kuma::TcpHealthCheck>::describe(Fields& fields, kuma::TcpHealthCheck& check) {
  optional(fields, "disabled", check.disabled, Flag{}, "default: false");
  optional(fields, "send", check.send, any_text, "what is sent; default: only a connection is made");
  optional(fields, "receive", check.receive, Items<grammar::Text>{any_text}, "expected answer, in this order");
}

void Grammar<kuma::HttpHealthCheck>::describe(Fields& fields, kuma::HttpHealthCheck& check) {
  optional(fields, "disabled", check.disabled, Flag{}, "default: false");
  optional(fields, "path", check.path, any_text, "default: /");
  optional(fields, "expectedStatuses", check.expectedStatuses, Items<Uint32>{int32}, "default: 200");
  optional(fields, "requestHeadersToAdd", check.requestHeadersToAdd, Message<kuma::HeaderModifier>{},
           "of the health request; has no influence on its answer");
}

void Grammar<kuma::GrpcHealthCheck>::describe(Fields& fields, kuma::GrpcHealthCheck& check) {
  optional(fields, "disabled", check.disabled, Flag{}, "default: false");
  optional(fields, "serviceName", check.serviceName, any_text, "of the health request");
  optional(fields, "authority", check.authority, any_text, "of the health request");
}

void Grammar<kuma::HealthCheckConf>::describe(Fields& fields, kuma::HealthCheckConf& conf) {
  optional(fields, "interval", conf.interval, GoDuration{}, "default: 1m");
  optional(fields, "timeout", conf.timeout, GoDuration{}, "default: 15s");
  optional(fields, "unhealthyThreshold", conf.unhealthyThreshold, int32, "failures in a row; default: 5");
  optional(fields, "healthyThreshold", conf.healthyThreshold, int32, "successes in a row; default: 1");
  optional(fields, "initialJitter", conf.initialJitter, GoDuration{}, "before the first check");
  optional(fields, "intervalJitter", conf.intervalJitter, GoDuration{}, "added to each interval");
  optional(fields, "intervalJitterPercent", conf.intervalJitterPercent, int32, "of the interval");
  optional(fields, "healthyPanicThreshold", conf.healthyPanicThreshold, IntOrString{}, "default: 50 (2.14)");
  optional(fields, "failTrafficOnPanic", conf.failTrafficOnPanic, Flag{},
           "requests fail in panic; no effect with affinityTags");
  optional(fields, "noTrafficInterval", conf.noTrafficInterval, GoDuration{}, "until there was traffic; default: 60s");
  optional(fields, "tcp", conf.tcp, Message<kuma::TcpHealthCheck>{}, "of destinations of tcp");
  optional(fields, "http", conf.http, Message<kuma::HttpHealthCheck>{}, "of destinations of http and http2");
  optional(fields, "grpc", conf.grpc, Message<kuma::GrpcHealthCheck>{}, "of destinations of grpc");
  optional(fields, "eventLogPath", conf.eventLogPath, any_text, "checked; has no influence on where requests go");
  optional(fields, "reuseConnection", conf.reuseConnection, Flag{}, "has no influence on a check's answer");
  optional(fields, "alwaysLogHealthCheckFailures", conf.alwaysLogHealthCheckFailures, Flag{},
           "has no influence on a check's answer");
}

void Grammar<kuma::TargetedItem<kuma::HealthCheckConf>>::describe(Fields& fields,
                                                                  kuma::TargetedItem<kuma::HealthCheckConf>& item) {
  optional(fields, "targetRef", item.targetRef, Message<kuma::TargetRef>{}, "the destination");
  optional(fields, "default", item.default_, Message<kuma::HealthCheckConf>{}, "what is set for it");
}

void Grammar<kuma::MeshHealthCheck>::describe(Fields& fields, kuma::MeshHealthCheck& policy) {
  optional(fields, "targetRef", policy.targetRef, Message<kuma::TargetRef>{}, "whose; default: the whole mesh");
  optional(fields, "to", policy.to, Items<Message<kuma::TargetedItem<kuma::HealthCheckConf>>>{.help = to_is_a_list},
           "what is set for which destinations");
}

}  // namespace spillway::messages
