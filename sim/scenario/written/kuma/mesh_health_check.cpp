#include "sim/scenario/written/kuma/mesh_health_check.hpp"

namespace spillway::scenario::written {

using grammar::Flag;

namespace {

constexpr Uint32 int32{0, 2'147'483'647};

}  // namespace

void Grammar<kuma::TcpHealthCheck>::describe(Fields& fields, kuma::TcpHealthCheck& check) {
  optional(fields, "disabled", check.disabled, Flag{}, "false unless given");
  optional(fields, "send", check.send, any_text, "what is sent; only a connection is made unless given");
  optional(fields, "receive", check.receive, Items<grammar::Text>{any_text}, "what must come back, in this order");
}

void Grammar<kuma::HttpHealthCheck>::describe(Fields& fields, kuma::HttpHealthCheck& check) {
  optional(fields, "disabled", check.disabled, Flag{}, "false unless given");
  optional(fields, "path", check.path, any_text, "/ unless given");
  optional(fields, "expectedStatuses", check.expectedStatuses, Items<Uint32>{int32}, "200 unless given");
  fields.without_influence({"requestHeadersToAdd"});
}

void Grammar<kuma::GrpcHealthCheck>::describe(Fields& fields, kuma::GrpcHealthCheck& check) {
  optional(fields, "disabled", check.disabled, Flag{}, "false unless given");
  optional(fields, "serviceName", check.serviceName, any_text, "of the health request");
  optional(fields, "authority", check.authority, any_text, "of the health request");
}

void Grammar<kuma::HealthCheckConf>::describe(Fields& fields, kuma::HealthCheckConf& conf) {
  optional(fields, "interval", conf.interval, GoDuration{}, "1m unless given");
  optional(fields, "timeout", conf.timeout, GoDuration{}, "15s unless given");
  optional(fields, "unhealthyThreshold", conf.unhealthyThreshold, int32, "failures in a row; 5 unless given");
  optional(fields, "healthyThreshold", conf.healthyThreshold, int32, "successes in a row; 1 unless given");
  optional(fields, "initialJitter", conf.initialJitter, GoDuration{}, "before the first check");
  optional(fields, "intervalJitter", conf.intervalJitter, GoDuration{}, "added to each interval");
  optional(fields, "intervalJitterPercent", conf.intervalJitterPercent, int32, "of the interval");
  optional(fields, "healthyPanicThreshold", conf.healthyPanicThreshold, IntOrString{}, "50 unless given (2.14)");
  optional(fields, "failTrafficOnPanic", conf.failTrafficOnPanic, Flag{},
           "requests fail in panic; without an effect beside affinityTags");
  optional(fields, "noTrafficInterval", conf.noTrafficInterval, GoDuration{},
           "until there was traffic; 60s unless given");
  optional(fields, "tcp", conf.tcp, Message<kuma::TcpHealthCheck>{}, "of destinations of tcp");
  optional(fields, "http", conf.http, Message<kuma::HttpHealthCheck>{}, "of destinations of http and http2");
  optional(fields, "grpc", conf.grpc, Message<kuma::GrpcHealthCheck>{}, "of destinations of grpc");
  fields.without_influence({"eventLogPath", "alwaysLogHealthCheckFailures", "reuseConnection"});
}

void Grammar<kuma::TargetedItem<kuma::HealthCheckConf>>::describe(Fields& fields,
                                                                  kuma::TargetedItem<kuma::HealthCheckConf>& item) {
  optional(fields, "targetRef", item.targetRef, Message<kuma::TargetRef>{}, "the destination");
  optional(fields, "default", item.default_, Message<kuma::HealthCheckConf>{}, "what is set for it");
}

void Grammar<kuma::MeshHealthCheck>::describe(Fields& fields, kuma::MeshHealthCheck& policy) {
  optional(fields, "targetRef", policy.targetRef, Message<kuma::TargetRef>{}, "whose; the whole mesh unless given");
  optional(fields, "to", policy.to, Items<Message<kuma::TargetedItem<kuma::HealthCheckConf>>>{.help = to_is_a_list},
           "what is set for which destinations");
}

}  // namespace spillway::scenario::written
