#include "models/envoy/api/health_check.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "models/documents/problem.hpp"
#include "models/envoy/api/api_values.hpp"
#include "models/envoy/api/string_matcher.hpp"

namespace spillway::messages {

using grammar::ProtoDuration;
using grammar::Record;
using grammar::Text;
using grammar::Whole;

namespace {

std::optional<std::string> bytes_of_hex(const std::string& text) {
  const auto digit = [](char c) -> int {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  if (text.size() % 2 != 0 || std::any_of(text.begin(), text.end(), [&](char c) { return digit(c) < 0; })) {
    return std::nullopt;
  }
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    bytes += static_cast<char>(digit(text[i]) * 16 + digit(text[i + 1]));
  }
  return bytes;
}

std::string hex_of(const std::string& bytes) {
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += {digits[value >> 4U], digits[value & 15U]};
  }
  return text;
}

// A payload as written.
struct PayloadMessage {
  static constexpr const char* definition = "envoy.config.core.v3.HealthCheck.Payload";
  Field<std::string> text;
  Field<std::string> binary;
};

void describe(Fields& fields, PayloadMessage& payload) {
  fields.message();
  fields.optional("text", payload.text, not_empty, "bytes in hexadecimal digits");
  fields.optional("binary", payload.binary, any_length, "bytes in base64");
  fields.exactly_one({"text", "binary"});
}

// The bytes of a payload, given in hexadecimal digits.
struct Payload {
  using Value = std::string;

  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
    PayloadMessage message;
    const bool read = Record<PayloadMessage>{}.read(node, message, what, problems);
    const bool hex = message.text.present;
    const Field<std::string>& field = hex ? message.text : message.binary;
    if (!read || !field) {
      return read;
    }
    const auto bytes = hex                      ? bytes_of_hex(*field)
                       : api::is_base64(*field) ? std::optional(api::bytes_of_base64(*field))
                                                : std::nullopt;
    if (!bytes) {
      problems.error("SP024", field.where, "cannot read a payload", "{}",
                     {hex ? "must be pairs of hexadecimal digits" : "must be base64"});
    }
    into = bytes.value_or("");
    return true;
  }
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const {
    return Record<PayloadMessage>{}.schema(definitions);
  }
  [[nodiscard]] documents::Node write(const Value& value) const {
    return message_with("text", Text{}.write(hex_of(value)));
  }
};

// The shape of a StringMatcher without regular expressions.
struct ServiceName {
  using Value = config::ServiceNameMatcher;
  using Pattern = config::ServiceNameMatcher::Pattern;
  using Kind = StringMatcher::Kind;
  static constexpr std::array kinds = {Kind::exact, Kind::prefix, Kind::suffix, Kind::contains};  // by Pattern

  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
    Described<StringMatcher> message;
    const bool read = Record<Described<StringMatcher>>{}.read(node, message, what, problems);
    if (const auto regex = message.source.key_of("safe_regex")) {
      problems.error("SP302", *regex, "a service name by a regular expression is not supported yet",
                     "must be exact, prefix, suffix or contains");
    }
    for (std::size_t pattern = 0; pattern < kinds.size(); ++pattern) {
      if (message.kind == kinds[pattern]) {
        into.pattern = static_cast<Pattern>(pattern);
        into.text = message.text;
      }
    }
    into.ignore_case = message.ignore_case.value_or(false);
    return read;
  }
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const {
    return Message<StringMatcher>{}.schema(definitions);
  }
  [[nodiscard]] documents::Node write(const Value& value) const {
    return write_message(StringMatcher{kinds[static_cast<std::size_t>(value.pattern)], value.text, value.ignore_case});
  }
};

// The shape of envoy.config.core.v3.RequestMethod by name; unspecified means GET.
struct RequestMethod {
  using Value = std::string;
  static const grammar::Choice& choice() {
    static const grammar::Choice methods{
        {"METHOD_UNSPECIFIED", "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"}};
    return methods;
  }

  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
    std::size_t position = 0;
    const bool read = choice().read(node, position, what, problems);
    into = choice().words[position == 0 ? 1 : position];
    return read;
  }
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const { return choice().schema(definitions); }
  [[nodiscard]] documents::Node write(const Value& value) const { return Text{}.write(value); }
};

}  // namespace

void Grammar<config::HttpHealthCheck>::describe(Fields& fields, config::HttpHealthCheck& check) {
  fields.message();
  fields.formerly("service_name", "service_name_matcher");
  fields.formerly("use_http2", "codec_client_type");
  optional(fields, "host", check.host, any_length, "the header host; default: the cluster's name");
  optional(fields, "path", check.path, any_length, "path of the request");
  optional(fields, "method", check.method, RequestMethod{}, "default: GET");
  optional(fields, "send", check.send, Payload{}, "what is sent");
  optional(fields, "receive", check.receive, Items<Payload>{}, "what must be in the answer");
  optional(fields, "response_buffer_size", check.response_buffer_size, Uint64{},
           "bytes of the answer that are read; default: 1024");
  optional(fields, "expected_statuses", check.expected_statuses, Items<Message<config::StatusRange>>{},
           "statuses that count as healthy; default: 200");
  optional(fields, "retriable_statuses", check.retriable_statuses, Items<Message<config::StatusRange>>{},
           "statuses that count against unhealthy_threshold instead of failing immediately");
  optional(fields, "service_name_matcher", check.service_name_matcher, ServiceName{},
           "what the answer calls its service");
  fields.idle("codec_client_type", grammar::Choice{{"HTTP1", "HTTP2", "HTTP3"}});
  fields.without_influence({"request_headers_to_add", "request_headers_to_remove", "use_alpn_protocol"});
}

void Grammar<config::TcpHealthCheck>::describe(Fields& fields, config::TcpHealthCheck& check) {
  fields.message();
  optional(fields, "send", check.send, Payload{}, "what is sent; nothing: connecting is enough");
  optional(fields, "receive", check.receive, Items<Payload>{}, "what must be in the answer");
  fields.without_influence({"proxy_protocol_config"});
}

void Grammar<config::GrpcHealthCheck>::describe(Fields& fields, config::GrpcHealthCheck& check) {
  fields.message();
  optional(fields, "service_name", check.service_name, any_length, "service in the health request");
  optional(fields, "authority", check.authority, any_length, "the header :authority");
  fields.without_influence({"initial_metadata"});
}

void Grammar<config::HealthCheck>::describe(Fields& fields, config::HealthCheck& check) {
  fields.message();
  fields.formerly("timeout_ms", "timeout");
  fields.formerly("interval_ms", "interval");
  fields.formerly("interval_jitter_ms", "interval_jitter");
  fields.formerly("type", "http_health_check");
  fields.formerly("path", "http_health_check");
  fields.formerly("send", "tcp_health_check");
  fields.formerly("receive", "tcp_health_check");
  fields.formerly("redis_health_check", "custom_health_check");
  optional(fields, "name", check.name, any_length, "name of the check, where there are several");
  optional(fields, "timeout", check.timeout, ProtoDuration{}, "how long an answer may take; required by Envoy");
  optional(fields, "interval", check.interval, ProtoDuration{}, "between checks; required by Envoy");
  optional(fields, "initial_jitter", check.initial_jitter, ProtoDuration{},
           "the first check happens at a random time within this");
  optional(fields, "interval_jitter", check.interval_jitter, ProtoDuration{}, "random time added to each later check");
  optional(fields, "interval_jitter_percent", check.interval_jitter_percent, Whole{0, largest_uint32},
           "or the same in percent of the interval");
  optional(fields, "unhealthy_threshold", check.unhealthy_threshold, Whole{0, largest_uint32},
           "consecutive failures of the network that make a host unhealthy; required by Envoy");
  optional(fields, "healthy_threshold", check.healthy_threshold, Whole{0, largest_uint32},
           "consecutive successes that make it healthy again; required by Envoy");
  optional(fields, "no_traffic_interval", check.no_traffic_interval, ProtoDuration{},
           "between checks of a cluster without requests; default: 60s");
  optional(fields, "no_traffic_healthy_interval", check.no_traffic_healthy_interval, ProtoDuration{},
           "of its healthy hosts; default: no_traffic_interval");
  optional(fields, "unhealthy_interval", check.unhealthy_interval, ProtoDuration{},
           "of unhealthy hosts; default: interval");
  optional(fields, "unhealthy_edge_interval", check.unhealthy_edge_interval, ProtoDuration{},
           "after a first failure; default: unhealthy_interval");
  optional(fields, "healthy_edge_interval", check.healthy_edge_interval, ProtoDuration{},
           "after a first success; default: interval");
  alternative<config::HttpHealthCheck>(fields, "http_health_check", check.health_checker,
                                       Message<config::HttpHealthCheck>{}, "by HTTP");
  alternative<config::TcpHealthCheck>(fields, "tcp_health_check", check.health_checker,
                                      Message<config::TcpHealthCheck>{}, "by a connection");
  alternative<config::GrpcHealthCheck>(fields, "grpc_health_check", check.health_checker,
                                       Message<config::GrpcHealthCheck>{}, "by gRPC");
  fields.exactly_one({"http_health_check", "tcp_health_check", "grpc_health_check", "custom_health_check"});
  fields.without_influence({"reuse_connection", "alt_port", "event_log_path", "event_logger", "event_service",
                            "always_log_health_check_failures", "always_log_health_check_success", "tls_options",
                            "transport_socket_match_criteria"});
  fields.not_simulated("custom_health_check", "checks by extensions are not supported yet");
  if (fields.object() != nullptr && Source{fields.object()}.member("custom_health_check")) {
    check.health_checker = config::TcpHealthCheck{};  // without bounds of its own
  }
}

}  // namespace spillway::messages
