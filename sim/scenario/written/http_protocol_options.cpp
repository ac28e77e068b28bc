#include "sim/scenario/written/http_protocol_options.hpp"

namespace spillway::scenario::written {

using grammar::ListOf;
using grammar::ProtoDuration;
using grammar::Record;
using grammar::Whole;

void describe(Fields& fields, CommonHttpProtocolOptions& options) {
  fields.message();
  fields.optional("max_stream_duration", options.max_stream_duration, ProtoDuration{},
                  "of one attempt at a request; 0s, the default: without limit");
  fields.idle("idle_timeout", ProtoDuration{});
  fields.idle("max_connection_duration", ProtoDuration{});
  fields.idle("max_headers_count",
              Whole{1, largest_uint32, "Envoy refuses others: value must be greater than or equal to 1"});
  fields.idle("headers_with_underscores_action", grammar::Choice{{"ALLOW", "REJECT_REQUEST", "DROP_HEADER"}});
  fields.idle("max_requests_per_connection", Whole{0, largest_uint32});
  fields.without_influence({"max_connection_duration_jitter", "max_response_headers_kb"});
}

void describe(Fields& fields, Http1ProtocolOptions& /*options*/) {
  fields.message();
  fields.without_influence({"allow_absolute_url", "accept_http_10", "default_host_for_http_10", "header_key_format",
                            "enable_trailers", "allow_chunked_length", "override_stream_error_on_invalid_http_message",
                            "send_fully_qualified_url", "use_balsa_parser", "allow_custom_methods",
                            "ignore_http_11_upgrade"});
}

void describe(Fields& fields, Http2ProtocolOptions& /*options*/) {
  constexpr std::uint64_t largest_int32 = 2'147'483'647;
  const Whole window{65'535, largest_int32, "Envoy refuses others: value must be inside range [65535, 2147483647]"};
  fields.message();
  fields.idle("max_concurrent_streams",
              Whole{1, largest_int32, "Envoy refuses others: value must be inside range [1, 2147483647]"});
  fields.idle("initial_stream_window_size", window);
  fields.idle("initial_connection_window_size", window);
  fields.without_influence(
      {"hpack_table_size", "allow_connect", "allow_metadata", "max_outbound_frames", "max_outbound_control_frames",
       "max_consecutive_inbound_frames_with_empty_payload", "max_inbound_priority_frames_per_stream",
       "max_inbound_window_update_frames_per_data_frame_sent", "stream_error_on_invalid_http_messaging",
       "override_stream_error_on_invalid_http_message", "custom_settings_parameters", "connection_keepalive",
       "use_oghttp2_codec", "max_metadata_size", "enable_huffman_encoding", "max_header_field_size_kb",
       "disallow_obs_text", "stream_reset_burst", "stream_reset_rate"});
}

void describe(Fields& fields, UpstreamHttpProtocolOptions& /*options*/) {
  fields.message();
  fields.without_influence({"auto_sni", "auto_san_validation", "override_auto_sni_header"});
}

void describe(Fields& fields, HttpProtocolOptions::ExplicitHttpConfig& /*config*/) {
  fields.message();
  fields.idle("http_protocol_options", Record<Http1ProtocolOptions>{});
  fields.idle("http2_protocol_options", Record<Http2ProtocolOptions>{});
  fields.without_influence({"http3_protocol_options"});
  fields.exactly_one({"http_protocol_options", "http2_protocol_options", "http3_protocol_options"});
}

void describe(Fields& fields, MatchPredicate::Set& set) {
  fields.message();
  fields.required("rules", set.rules, ListOf<Unread>{{}, 2}, "at least two rules");
}

void describe(Fields& fields, MatchPredicate::Headers& headers) {
  fields.message();
  fields.optional("headers", headers.headers, ListOf<Record<Described<envoy::routes::HeaderMatcher>>>{},
                  "all of them must match");
}

void describe(Fields& fields, MatchPredicate& predicate) {
  fields.message();
  fields.optional("or_match", predicate.or_match, Record<MatchPredicate::Set>{}, "one of the rules matches");
  fields.optional("and_match", predicate.and_match, Record<MatchPredicate::Set>{}, "all of the rules match");
  fields.optional("not_match", predicate.not_match, Unread{}, "the rule does not match");
  fields.optional("any_match", predicate.any_match, grammar::Flag{}, "every answer matches");
  fields.optional("http_response_headers_match", predicate.http_response_headers_match,
                  Record<MatchPredicate::Headers>{}, "headers of the answer; here an answer has only a `:status`");
  fields.optional("http_request_headers_match", predicate.http_request_headers_match, Unread{},
                  "never matches: Envoy does not show it requests");
  fields.optional("http_request_trailers_match", predicate.http_request_trailers_match, Unread{}, "never matches");
  fields.optional("http_response_trailers_match", predicate.http_response_trailers_match, Unread{}, "never matches");
  fields.optional("http_request_generic_body_match", predicate.http_request_generic_body_match, Unread{},
                  "never matches");
  fields.optional("http_response_generic_body_match", predicate.http_response_generic_body_match, Unread{},
                  "never matches");
  fields.exactly_one({"or_match", "and_match", "not_match", "any_match", "http_response_headers_match",
                      "http_request_headers_match", "http_request_trailers_match", "http_response_trailers_match",
                      "http_request_generic_body_match", "http_response_generic_body_match"});
}

void describe(Fields& fields, HttpProtocolOptions::OutlierDetection& detection) {
  fields.message();
  fields.required("error_matcher", detection.error_matcher, Record<MatchPredicate>{},
                  "which answers count as failures; default: those with a status from 500 on");
}

void describe(Fields& fields, HttpProtocolOptions& options) {
  fields.message();
  fields.optional("common_http_protocol_options", options.common_http_protocol_options,
                  Record<CommonHttpProtocolOptions>{}, "of all versions of HTTP");
  fields.optional("explicit_http_config", options.explicit_http_config,
                  Record<HttpProtocolOptions::ExplicitHttpConfig>{}, "one version of HTTP");
  fields.optional("use_downstream_protocol_config", options.use_downstream_protocol_config, Unread{},
                  "the version that clients use");
  fields.optional("auto_config", options.auto_config, Unread{}, "what endpoints offer");
  // Envoy refuses one without any of them, so that what a program wrote without is a part of more.
  if (fields.object() != nullptr && fields.object()->told) {
    fields.at_most_one({"explicit_http_config", "use_downstream_protocol_config", "auto_config"});
  } else {
    fields.exactly_one({"explicit_http_config", "use_downstream_protocol_config", "auto_config"});
  }
  fields.optional("outlier_detection", options.outlier_detection, Record<HttpProtocolOptions::OutlierDetection>{},
                  "what outlier detection counts");
  fields.without_influence({"upstream_http_protocol_options", "http_filters", "header_validation_config"});
  fields.not_played("retry_policy", "write it in the route");
  fields.not_played("hash_policy", "write it in the route");
  fields.not_played("request_mirror_policies", "mirrored requests are not supported yet");
}

}  // namespace spillway::scenario::written
