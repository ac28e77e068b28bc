// envoy.extensions.upstreams.http.v3.HttpProtocolOptions as it stands verbatim in a cluster's
// typed_extension_protocol_options.
#pragma once

#include <vector>

#include "sim/scenario/written/proto.hpp"
#include "sim/scenario/written/route_match.hpp"

namespace spillway::scenario::written {

// envoy.config.core.v3.HttpProtocolOptions.
struct CommonHttpProtocolOptions {
  static constexpr const char* definition = "envoy.config.core.v3.HttpProtocolOptions";
  Field<grammar::Nanoseconds> max_stream_duration;
};
void describe(Fields& fields, CommonHttpProtocolOptions& options);

struct Http1ProtocolOptions {
  static constexpr const char* definition = "envoy.config.core.v3.Http1ProtocolOptions";
};
void describe(Fields& fields, Http1ProtocolOptions& options);

struct Http2ProtocolOptions {
  static constexpr const char* definition = "envoy.config.core.v3.Http2ProtocolOptions";
};
void describe(Fields& fields, Http2ProtocolOptions& options);

struct UpstreamHttpProtocolOptions {
  static constexpr const char* definition = "envoy.config.core.v3.UpstreamHttpProtocolOptions";
};
void describe(Fields& fields, UpstreamHttpProtocolOptions& options);

// envoy.config.common.matcher.v3.MatchPredicate, of which one field is written.
struct MatchPredicate {
  static constexpr const char* definition = "envoy.config.common.matcher.v3.MatchPredicate";
  struct Set {
    static constexpr const char* definition = "envoy.config.common.matcher.v3.MatchPredicate.MatchSet";
    Field<std::vector<Field<const document::Node*>>> rules;  // a MatchPredicate each
  };
  struct Headers {
    static constexpr const char* definition = "envoy.config.common.matcher.v3.HttpHeadersMatch";
    Field<std::vector<Field<Described<envoy::routes::HeaderMatcher>>>> headers;
  };
  Field<Set> or_match;
  Field<Set> and_match;
  Field<const document::Node*> not_match;  // a MatchPredicate
  Field<bool> any_match;
  Field<Headers> http_response_headers_match;
  // Of what requests and answers here do not have.
  Field<const document::Node*> http_request_headers_match;
  Field<const document::Node*> http_request_trailers_match;
  Field<const document::Node*> http_response_trailers_match;
  Field<const document::Node*> http_request_generic_body_match;
  Field<const document::Node*> http_response_generic_body_match;
};
void describe(Fields& fields, MatchPredicate::Set& set);
void describe(Fields& fields, MatchPredicate::Headers& headers);
void describe(Fields& fields, MatchPredicate& predicate);

struct HttpProtocolOptions {
  struct ExplicitHttpConfig {
    static constexpr const char* definition =
        "envoy.extensions.upstreams.http.v3.HttpProtocolOptions.ExplicitHttpConfig";
  };
  struct OutlierDetection {
    static constexpr const char* definition = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions.OutlierDetection";
    Field<MatchPredicate> error_matcher;
  };
  Field<CommonHttpProtocolOptions> common_http_protocol_options;
  Field<ExplicitHttpConfig> explicit_http_config;
  Field<const document::Node*> use_downstream_protocol_config;
  Field<const document::Node*> auto_config;
  Field<OutlierDetection> outlier_detection;
};
void describe(Fields& fields, HttpProtocolOptions::ExplicitHttpConfig& config);
void describe(Fields& fields, HttpProtocolOptions::OutlierDetection& detection);
void describe(Fields& fields, HttpProtocolOptions& options);

}  // namespace spillway::scenario::written
