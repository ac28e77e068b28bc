#include "sim/scenario/written/health_check.hpp"

namespace spillway::scenario::written {

using grammar::ListOf;
using grammar::ProtoDuration;
using grammar::Record;
using grammar::Text;
using grammar::Whole;

void describe(Fields& fields, HealthCheck::Payload& payload) {
  fields.message();
  fields.optional("text", payload.text, Text{1, 10'000}, "bytes in hexadecimal digits");
  fields.optional("binary", payload.binary, Text{0, 10'000}, "bytes in base64");
  fields.exactly_one({"text", "binary"});
}

void describe(Fields& fields, HealthCheck::HttpHealthCheck& check) {
  fields.message();
  fields.formerly("service_name", "service_name_matcher");
  fields.formerly("use_http2", "codec_client_type");
  fields.optional("host", check.host, Text{0, 1'000}, "the header host; default: the cluster's name");
  fields.optional("path", check.path, Text{0, 10'000}, "what is asked for");
  fields.optional("method", check.method, grammar::Choice{HealthCheck::HttpHealthCheck::methods, {}}, "default: GET");
  fields.optional("send", check.send, Record<HealthCheck::Payload>{}, "what is sent");
  fields.optional("receive", check.receive, ListOf<Record<HealthCheck::Payload>>{}, "what must be in the answer");
  fields.optional("response_buffer_size", check.response_buffer_size, Uint64{},
                  "so much of the answer is looked at; default: 1024");
  fields.optional("expected_statuses", check.expected_statuses, ListOf<Record<Int64Range>>{},
                  "statuses that count as healthy; default: 200");
  fields.optional("retriable_statuses", check.retriable_statuses, ListOf<Record<Int64Range>>{},
                  "statuses that count against unhealthy_threshold instead of at once");
  fields.optional("service_name_matcher", check.service_name_matcher, Record<StringMatcher>{},
                  "what the answer calls its service");
  fields.without_influence({"request_headers_to_add", "request_headers_to_remove", "codec_client_type"});
}

void describe(Fields& fields, HealthCheck::TcpHealthCheck& check) {
  fields.message();
  fields.optional("send", check.send, Record<HealthCheck::Payload>{}, "what is sent; nothing: connecting is enough");
  fields.optional("receive", check.receive, ListOf<Record<HealthCheck::Payload>>{}, "what must be in the answer");
  fields.without_influence({"proxy_protocol_config"});
}

void describe(Fields& fields, HealthCheck::GrpcHealthCheck& check) {
  fields.message();
  fields.optional("service_name", check.service_name, Text{0, 1'000}, "the service that is asked about");
  fields.optional("authority", check.authority, Text{0, 1'000}, "the header :authority");
  fields.without_influence({"initial_metadata"});
}

void describe(Fields& fields, HealthCheck& check) {
  fields.message();
  fields.formerly("timeout_ms", "timeout");
  fields.formerly("interval_ms", "interval");
  fields.formerly("interval_jitter_ms", "interval_jitter");
  fields.formerly("type", "http_health_check");
  fields.formerly("path", "http_health_check");
  fields.formerly("send", "tcp_health_check");
  fields.formerly("receive", "tcp_health_check");
  fields.formerly("redis_health_check", "custom_health_check");
  check.source.keep(fields);
  fields.optional("name", check.name, Text{0, 1'000}, "tells several checks apart");
  fields.optional("timeout", check.timeout, ProtoDuration{}, "how long an answer may take; Envoy wants it");
  fields.optional("interval", check.interval, ProtoDuration{}, "between checks; Envoy wants it");
  fields.optional("initial_jitter", check.initial_jitter, ProtoDuration{}, "the first one comes at random within this");
  fields.optional("interval_jitter", check.interval_jitter, ProtoDuration{}, "and each later one is so much later");
  fields.optional("interval_jitter_percent", check.interval_jitter_percent, Whole{0, largest_uint32},
                  "or so many percent of the interval");
  fields.optional("unhealthy_threshold", check.unhealthy_threshold, Whole{0, largest_uint32},
                  "so many failures of the network in a row make a host unhealthy; Envoy wants it");
  fields.optional("healthy_threshold", check.healthy_threshold, Whole{0, largest_uint32},
                  "so many successes in a row make it healthy again; Envoy wants it");
  fields.optional("no_traffic_interval", check.no_traffic_interval, ProtoDuration{},
                  "between checks of a cluster without requests; default: 60s");
  fields.optional("no_traffic_healthy_interval", check.no_traffic_healthy_interval, ProtoDuration{},
                  "of its healthy hosts; default: no_traffic_interval");
  fields.optional("unhealthy_interval", check.unhealthy_interval, ProtoDuration{},
                  "of unhealthy hosts; default: interval");
  fields.optional("unhealthy_edge_interval", check.unhealthy_edge_interval, ProtoDuration{},
                  "after a first failure; default: unhealthy_interval");
  fields.optional("healthy_edge_interval", check.healthy_edge_interval, ProtoDuration{},
                  "after a first success; default: interval");
  fields.optional("http_health_check", check.http_health_check, Record<HealthCheck::HttpHealthCheck>{}, "by HTTP");
  fields.optional("tcp_health_check", check.tcp_health_check, Record<HealthCheck::TcpHealthCheck>{}, "by a connection");
  fields.optional("grpc_health_check", check.grpc_health_check, Record<HealthCheck::GrpcHealthCheck>{}, "by gRPC");
  fields.exactly_one({"http_health_check", "tcp_health_check", "grpc_health_check"});
  fields.without_influence({"reuse_connection", "alt_port", "event_log_path", "event_logger", "event_service",
                            "always_log_health_check_failures", "always_log_health_check_success", "tls_options",
                            "transport_socket_match_criteria"});
  fields.not_played("custom_health_check", "checks by extensions are not supported yet");
}

}  // namespace spillway::scenario::written
