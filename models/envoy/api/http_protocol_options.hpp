// The grammar of a cluster's HttpProtocolOptions (envoy.extensions.upstreams.http.v3).
#pragma once

#include <optional>
#include <vector>

#include "models/config/outlier_detection.hpp"
#include "models/config/retry_policy.hpp"
#include "models/envoy/api/proto.hpp"
#include "models/envoy/api/route_match.hpp"
#include "models/envoy/routes/hash_policy.hpp"

namespace spillway::envoy {
struct Cluster;  // cluster.hpp
}  // namespace spillway::envoy

namespace spillway::messages {

// The settings of envoy.config.core.v3.HttpProtocolOptions that are simulated.
struct CommonHttpProtocolOptions {
  grammar::Nanoseconds max_stream_duration{0};
};
template <>
struct Grammar<CommonHttpProtocolOptions> {
  static constexpr const char* definition = "envoy.config.core.v3.HttpProtocolOptions";
  static void describe(Fields& fields, CommonHttpProtocolOptions& options);
};

// A predicate on a message. Exactly one field is set.
struct MatchPredicate {
  static constexpr const char* definition = "envoy.config.common.matcher.v3.MatchPredicate";
  struct Set {
    static constexpr const char* definition = "envoy.config.common.matcher.v3.MatchPredicate.MatchSet";
    Field<std::vector<Field<const documents::Node*>>> rules;  // each a MatchPredicate
  };
  struct Headers {
    static constexpr const char* definition = "envoy.config.common.matcher.v3.HttpHeadersMatch";
    Field<std::vector<Field<Described<envoy::routes::HeaderMatcher>>>> headers;
  };
  Field<Set> or_match;
  Field<Set> and_match;
  Field<const documents::Node*> not_match;  // a MatchPredicate
  Field<bool> any_match;
  Field<Headers> http_response_headers_match;
  // Conditions on parts of requests and responses that are not simulated.
  Field<const documents::Node*> http_request_headers_match;
  Field<const documents::Node*> http_request_trailers_match;
  Field<const documents::Node*> http_response_trailers_match;
  Field<const documents::Node*> http_request_generic_body_match;
  Field<const documents::Node*> http_response_generic_body_match;
};
void describe(Fields& fields, MatchPredicate::Set& set);
void describe(Fields& fields, MatchPredicate::Headers& headers);
void describe(Fields& fields, MatchPredicate& predicate);

struct ExplicitHttpConfig {
  static constexpr const char* definition = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions.ExplicitHttpConfig";
  Field<bool> http2_protocol_options;
};
void describe(Fields& fields, ExplicitHttpConfig& config);

struct HttpProtocolOptions {
  struct OutlierDetection {
    std::optional<config::ErrorStatuses> error_matcher = {};
  };
  CommonHttpProtocolOptions common_http_protocol_options = {};
  OutlierDetection outlier_detection = {};
  std::optional<config::RetryPolicy> retry_policy = {};     // instead of the route's
  std::vector<envoy::routes::HashPolicy> hash_policy = {};  // likewise
  bool http2 = false;                                       // not exported: exports use HTTP/1.1
};
// Endpoints here have no response bodies or trailers, so rules about them only give a warning (SP219).
template <>
struct Grammar<HttpProtocolOptions::OutlierDetection> {
  static constexpr const char* definition = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions.OutlierDetection";
  static void describe(Fields& fields, HttpProtocolOptions::OutlierDetection& detection);
};
template <>
struct Grammar<HttpProtocolOptions> {
  static constexpr const char* definition = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";
  static void describe(Fields& fields, HttpProtocolOptions& options);
};

// Writes a cluster's typed_extension_protocol_options: HttpProtocolOptions of HTTP/1, if the cluster has settings that
// belong there.
void write_http_protocol_options(Fields& fields, const envoy::Cluster& cluster);

}  // namespace spillway::messages
