#include "models/envoy/api/route.hpp"

#include <utility>
#include <vector>

#include "models/envoy/api/metadata.hpp"

namespace spillway::messages {

using grammar::ProtoDuration;
using grammar::Record;
using grammar::Text;
using grammar::Whole;
namespace routes = envoy::routes;

void Grammar<routes::WeightedCluster>::describe(Fields& fields, routes::WeightedCluster& cluster) {
  fields.message();
  required(fields, "name", cluster.name, not_empty, "the service");
  required(fields, "weight", cluster.weight, Whole{0, largest_uint32}, "its part of the requests");
  optional(fields, "metadata_match", cluster.metadata_match, LbMetadata{},
           "subset metadata of the requests, added to and preferred to the route's");
  optional(fields, "host_rewrite_literal", cluster.host_rewrite_literal, any_length,
           "the requests' host, for hash policies too");
  fields.without_influence({"response_headers_to_add", "response_headers_to_remove"});
  fields.not_simulated("cluster_header", "clusters that a header names are not supported yet");
  fields.not_simulated("route_specifiers", "routes that an extension changes are not supported yet");
  fields.not_simulated("request_headers_to_add", "changes of a request's headers are not supported yet");
  fields.not_simulated("request_headers_to_remove", "changes of a request's headers are not supported yet");
  fields.not_simulated("typed_per_filter_config", "filters of one weighted cluster are not supported yet");
}

namespace {

struct WeightedClusters {
  std::vector<routes::WeightedCluster> clusters = {};
};

}  // namespace

template <>
struct Grammar<WeightedClusters> {
  static constexpr const char* definition = "envoy.config.route.v3.WeightedCluster";
  static void describe(Fields& fields, WeightedClusters& clusters) {
    fields.message();
    required(fields, "clusters", clusters.clusters, Items<Message<routes::WeightedCluster>>{{}, nullptr, 1},
             "by weight");
    // Envoy sums the weights itself, and no runtime value overrides them here.
    fields.without_influence({"total_weight", "runtime_key_prefix"});
    fields.not_simulated("header_name", "a choice by a header is not supported yet");
    fields.not_simulated("use_hash_policy", "a choice by hash is not supported yet");
  }
};

void Grammar<MaxStreamDuration>::describe(Fields& fields, MaxStreamDuration& duration) {
  fields.message();
  optional(fields, "max_stream_duration", duration.max_stream_duration, ProtoDuration{},
           "of a request with its retries, instead of `timeout`; 0s: none");
  optional(fields, "grpc_timeout_header_max", duration.grpc_timeout_header_max, ProtoDuration{},
           "of requests with a grpc-timeout header, which clients here cannot send by such a route");
  optional(fields, "grpc_timeout_header_offset", duration.grpc_timeout_header_offset, ProtoDuration{}, "likewise");
}

namespace {

// Describes the clusters of an action. A single cluster with metadata of its own must be written as a list of one.
void describe_clusters(Fields& fields, std::vector<routes::WeightedCluster>& clusters) {
  std::optional<std::string> cluster;
  std::optional<WeightedClusters> weighted;
  if (fields.writing() && clusters.size() == 1 && !clusters.front().metadata_match &&
      clusters.front().host_rewrite_literal.empty()) {
    cluster = clusters.front().name;
  } else if (fields.writing() && !clusters.empty()) {
    weighted = WeightedClusters{clusters};
  }
  optional(fields, "cluster", cluster, not_empty, "the service that the requests go to");
  optional(fields, "weighted_clusters", weighted, Message<WeightedClusters>{}, "or several by weight");
  fields.exactly_one({"cluster", "weighted_clusters"});
  if (!fields.writing() && weighted) {
    clusters = std::move(weighted->clusters);
  } else if (!fields.writing() && cluster) {
    clusters.push_back({.name = *std::move(cluster)});
  }
}

void describe_rewrite(Fields& fields, routes::Rewrite& rewrite) {
  Field<bool> auto_host_rewrite;
  optional(fields, "prefix_rewrite", rewrite.prefix_rewrite, any_length,
           "replaces what the route matched of the path, for hash policies too");
  optional(fields, "regex_rewrite", rewrite.regex_rewrite, RegexMatchAndSubstitute{},
           "changes the path, for hash policies too");
  optional(fields, "host_rewrite_literal", rewrite.host_rewrite_literal, any_length,
           "the requests' host, for hash policies too");
  optional(fields, "host_rewrite_header", rewrite.host_rewrite_header, any_length,
           "the header whose value becomes the requests' host");
  optional(fields, "host_rewrite_path_regex", rewrite.host_rewrite_path_regex, RegexMatchAndSubstitute{},
           "makes the requests' host of their path");
  fields.optional("auto_host_rewrite", auto_host_rewrite, grammar::Flag{},
                  "the endpoint's hostname becomes the host, once it is picked");
  optional_unless(false, fields, "append_x_forwarded_host", rewrite.append_x_forwarded_host, grammar::Flag{},
                  "keeps the host before in x-forwarded-host");
  fields.at_most_one({"prefix_rewrite", "regex_rewrite"});
  fields.at_most_one({"host_rewrite_literal", "auto_host_rewrite", "host_rewrite_header", "host_rewrite_path_regex"});
}

// Describes the timeouts. Those of the connection manager count from the request, and a response arrives all at once.
// Therefore the shorter of the two applies.
void describe_timeouts(Fields& fields, RouteAction& action) {
  constexpr grammar::Nanoseconds none{0};
  std::optional<grammar::Nanoseconds> timeout;
  std::optional<grammar::Nanoseconds> idle_timeout;
  std::optional<MaxStreamDuration> max_stream_duration;
  std::optional<grammar::Nanoseconds> max_grpc_timeout;
  if (fields.writing()) {
    timeout = action.timeout;
    idle_timeout = action.stream_timeout > none ? std::optional(action.stream_timeout) : std::nullopt;
  }
  optional(fields, "timeout", timeout, ProtoDuration{}, "of a request with its retries; 0s: none; default: 15s");
  optional(fields, "idle_timeout", idle_timeout, ProtoDuration{},
           "of a request without an answer, with its retries; 0s: none");
  optional(fields, "max_stream_duration", max_stream_duration, Message<MaxStreamDuration>{},
           "of a request with its retries, instead of `timeout`");
  optional(fields, "max_grpc_timeout", max_grpc_timeout, ProtoDuration{},
           "of gRPC requests, which clients here cannot send by such a route");
  if (fields.writing()) {
    return;
  }
  const MaxStreamDuration of_stream = max_stream_duration.value_or(MaxStreamDuration{});
  const grammar::Nanoseconds longest = of_stream.max_stream_duration.value_or(none);
  action.stream_timeout = idle_timeout.value_or(none);
  if (longest > none && (action.stream_timeout == none || longest < action.stream_timeout)) {
    action.stream_timeout = longest;
  }
  action.timeout_replaced = max_stream_duration && timeout.value_or(none) > none;
  action.timeout = max_stream_duration ? none : timeout.value_or(action.timeout);
  action.reads_grpc_timeout = max_grpc_timeout || of_stream.grpc_timeout_header_max;
}

void refuse_other_actions(Fields& fields) {
  fields.not_simulated("path_rewrite_policy", "write `prefix_rewrite` or `regex_rewrite`");
  fields.not_simulated("path_rewrite", "write `prefix_rewrite` or `regex_rewrite`");
  fields.without_influence(
      {"cluster_not_found_response_code", "flush_timeout", "early_data_policy", "cors", "upgrade_configs"});
  fields.not_simulated("cluster_header", "clusters that a header names are not supported yet");
  fields.not_simulated("cluster_specifier_plugin", "clusters that a plugin names are not supported yet");
  fields.not_simulated("inline_cluster_specifier_plugin", "clusters that a plugin names are not supported yet");
  fields.not_simulated("retry_policy_typed_config", "write `retry_policy`");
  fields.not_simulated("request_mirror_policies", "mirrored requests are not supported yet");
  fields.not_simulated("rate_limits", "rate limits are not supported yet");
  fields.not_simulated("include_vh_rate_limits", "rate limits are not supported yet");
  fields.not_simulated("internal_redirect_policy", "redirects are not supported yet");
  fields.not_simulated("internal_redirect_action", "redirects are not supported yet");
  fields.not_simulated("max_internal_redirects", "redirects are not supported yet");
  fields.not_simulated("hedge_policy", "hedged requests are not supported yet");
}

}  // namespace

void Grammar<RouteAction>::describe(Fields& fields, RouteAction& action) {
  fields.message();
  fields.formerly("timeout_ms", "timeout");
  fields.formerly("request_mirror_policy", "request_mirror_policies");
  fields.formerly("shadow", "request_mirror_policies");
  fields.formerly("host_rewrite", "host_rewrite_literal");
  fields.formerly("auto_host_rewrite_header", "host_rewrite_header");
  fields.formerly("use_websocket", "upgrade_configs");
  fields.formerly("header_name", "hash_policy");
  describe_clusters(fields, action.clusters);
  optional(fields, "metadata_match", action.metadata_match, LbMetadata{}, "subset metadata of the requests");
  optional(fields, "hash_policy", action.hash_policy, Items<HashPolicy>{}, "hash policies");
  optional(fields, "retry_policy", action.retry_policy, Message<config::RetryPolicy>{}, "when a request is sent again");
  describe_timeouts(fields, action);
  fields.idle("grpc_timeout_offset", ProtoDuration{});
  optional_unless(config::RoutingPriority::default_priority, fields, "priority", action.priority,
                  grammar::Choice{{"DEFAULT", "HIGH"}}, "whose circuit breakers count; default: DEFAULT");
  describe_rewrite(fields, action.rewrite);
  refuse_other_actions(fields);
}

void describe(Fields& fields, Route& route) {
  fields.message();
  fields.formerly("prefix", "match");
  fields.formerly("path", "match");
  fields.formerly("regex", "match");
  fields.formerly("headers", "match");
  fields.formerly("cluster", "route");
  fields.formerly("weighted_clusters", "route");
  fields.formerly("timeout_ms", "route");
  fields.formerly("retry_policy", "route");
  fields.formerly("hash_policy", "route");
  fields.formerly("per_filter_config", "typed_per_filter_config");
  fields.required("match", route.match, Record<Described<routes::RouteMatch>>{},
                  "which requests match; the first matching route is used");
  fields.required("route", route.route, Record<Described<RouteAction>>{}, "where the requests go");
  fields.optional("typed_per_filter_config", route.typed_per_filter_config, grammar::MapOf<AnyShape>{},
                  "by filter: envoy.filters.http.stateful_session, envoy.filters.http.header_to_metadata");
  fields.without_influence({"name", "metadata", "decorator", "response_headers_to_add", "response_headers_to_remove",
                            "tracing", "per_request_buffer_limit_bytes", "request_body_buffer_limit", "stat_prefix"});
  for (const char* name : {"redirect", "direct_response", "filter_action", "non_forwarding_action"}) {
    fields.not_simulated(name, "routes that send a request nowhere are not supported");
  }
  fields.not_simulated("request_headers_to_add", "changes of a request's headers are not supported yet");
  fields.not_simulated("request_headers_to_remove", "changes of a request's headers are not supported yet");
}

}  // namespace spillway::messages
