// envoy.config.core.v3.HealthCheck as it stands verbatim in files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/written/proto.hpp"
#include "sim/scenario/written/string_matcher.hpp"

namespace spillway::scenario::written {

struct HealthCheck {
  static constexpr const char* definition = "envoy.config.core.v3.HealthCheck";
  struct Payload {
    static constexpr const char* definition = "envoy.config.core.v3.HealthCheck.Payload";
    Field<std::string> text;
    Field<std::string> binary;
  };
  struct HttpHealthCheck {
    static constexpr const char* definition = "envoy.config.core.v3.HealthCheck.HttpHealthCheck";
    // envoy.config.core.v3.RequestMethod.
    static inline const std::vector<std::string> methods = {
        "METHOD_UNSPECIFIED", "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"};
    Field<std::string> host;
    Field<std::string> path;
    Field<std::size_t> method;
    Field<Payload> send;
    Field<std::vector<Field<Payload>>> receive;
    Field<std::uint64_t> response_buffer_size;
    Field<std::vector<Field<Int64Range>>> expected_statuses;
    Field<std::vector<Field<Int64Range>>> retriable_statuses;
    Field<StringMatcher> service_name_matcher;
  };
  struct TcpHealthCheck {
    static constexpr const char* definition = "envoy.config.core.v3.HealthCheck.TcpHealthCheck";
    Field<Payload> send;
    Field<std::vector<Field<Payload>>> receive;
  };
  struct GrpcHealthCheck {
    static constexpr const char* definition = "envoy.config.core.v3.HealthCheck.GrpcHealthCheck";
    Field<std::string> service_name;
    Field<std::string> authority;
  };
  Source source;
  Field<std::string> name;
  Field<grammar::Nanoseconds> timeout;
  Field<grammar::Nanoseconds> interval;
  Field<grammar::Nanoseconds> initial_jitter;
  Field<grammar::Nanoseconds> interval_jitter;
  Field<std::uint64_t> interval_jitter_percent;
  Field<std::uint64_t> unhealthy_threshold;
  Field<std::uint64_t> healthy_threshold;
  Field<grammar::Nanoseconds> no_traffic_interval;
  Field<grammar::Nanoseconds> no_traffic_healthy_interval;
  Field<grammar::Nanoseconds> unhealthy_interval;
  Field<grammar::Nanoseconds> unhealthy_edge_interval;
  Field<grammar::Nanoseconds> healthy_edge_interval;
  Field<HttpHealthCheck> http_health_check;
  Field<TcpHealthCheck> tcp_health_check;
  Field<GrpcHealthCheck> grpc_health_check;
};
void describe(Fields& fields, HealthCheck::Payload& payload);
void describe(Fields& fields, HealthCheck::HttpHealthCheck& check);
void describe(Fields& fields, HealthCheck::TcpHealthCheck& check);
void describe(Fields& fields, HealthCheck::GrpcHealthCheck& check);
void describe(Fields& fields, HealthCheck& check);

}  // namespace spillway::scenario::written
