#include "models/envoy/api/checked_idle_fields.hpp"

#include <chrono>

#include "models/envoy/api/cluster.hpp"
#include "models/envoy/api/message_fields.hpp"

namespace spillway::messages {

using grammar::ListOf;
using grammar::Record;
using grammar::Text;

namespace {

struct RefreshRate {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.RefreshRate";
};

const grammar::ProtoDuration above_a_millisecond{std::chrono::milliseconds{1},
                                                 "Envoy refuses others: value must be greater than 0.001s",
                                                 "0+(\\.(0{1,2}|000[0-9]{0,6}|0010{0,6}))?s"};

void describe(Fields& fields, RefreshRate& /*rate*/) {
  Field<grammar::Nanoseconds> base;
  fields.message();
  fields.required("base_interval", base, above_a_millisecond, "accepted; has no influence on where requests go");
  fields.idle("max_interval", above_a_millisecond);
}

struct PreconnectPolicy {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.PreconnectPolicy";
};

void describe(Fields& fields, PreconnectPolicy& /*policy*/) {
  const grammar::Number ratio{1.0, 3.0, "Envoy refuses others: value must be inside range [1, 3]", true};
  fields.message();
  fields.idle("per_upstream_preconnect_ratio", ratio);
  fields.idle("predictive_preconnect_ratio", ratio);
}

struct TransportSocket {
  [[maybe_unused]] static constexpr const char* definition = "envoy.config.core.v3.TransportSocket";
};

void describe(Fields& fields, TransportSocket& /*socket*/) {
  Field<std::string> name;
  Field<AnyMessage> config;
  fields.message();
  fields.required("name", name, Text{1, 10'000}, "accepted; has no influence on where requests go");
  // Older releases of Envoy identify a socket by its name only.
  const bool reported = fields.object() != nullptr && fields.object()->reported;
  if (reported) {
    fields.optional("typed_config", config, CheckedAny{}, "accepted; has no influence on where requests go");
  } else {
    fields.required("typed_config", config, CheckedAny{}, "accepted; has no influence on where requests go");
  }
}

struct TrackClusterStats {
  [[maybe_unused]] static constexpr const char* definition = "envoy.config.cluster.v3.TrackClusterStats";
};

void describe(Fields& fields, TrackClusterStats& /*stats*/) {
  fields.message();
  fields.idle("timeout_budgets", grammar::Flag{});
  fields.idle("request_response_sizes", grammar::Flag{});
  fields.idle("per_endpoint_stats", grammar::Flag{});
}

struct UpstreamConnectionOptions {
  [[maybe_unused]] static constexpr const char* definition = "envoy.config.cluster.v3.UpstreamConnectionOptions";
};

void describe(Fields& fields, UpstreamConnectionOptions& /*options*/) {
  fields.message();
  fields.without_influence({"tcp_keepalive", "happy_eyeballs_config"});
  fields.idle("set_local_interface_name_on_upstream_connections", grammar::Flag{});
}

struct TransportSocketMatch {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.TransportSocketMatch";
};

void describe(Fields& fields, TransportSocketMatch& /*match*/) {
  Field<std::string> name;
  fields.message();
  fields.required("name", name, Text{1, 10'000}, "accepted; has no influence on where requests go");
  fields.idle("match", StructShape{});
  Field<TransportSocket> socket;
  fields.required("transport_socket", socket, Unlisted<TransportSocket>{},
                  "accepted; has no influence on where requests go");
}

}  // namespace

void describe_checked_idle_fields(Fields& fields) {
  const grammar::Whole number{0, largest_uint32};
  fields.idle(
      "connect_timeout",
      grammar::ProtoDuration{grammar::Nanoseconds{0},
                             "Envoy refuses others: ConnectTimeout: value must be greater than 0s", "0+(\\.0+)?s"});
  fields.idle("alt_stat_name", Text{0, 10'000});
  fields.idle("per_connection_buffer_limit_bytes", number);
  fields.idle("max_requests_per_connection", number);
  fields.idle("dns_refresh_rate", above_a_millisecond);
  fields.idle("dns_jitter", grammar::ProtoDuration{});
  fields.idle("dns_failure_refresh_rate", Record<RefreshRate>{});
  fields.idle("respect_dns_ttl", grammar::Flag{});
  fields.idle("dns_lookup_family", grammar::Choice{{"AUTO", "V4_ONLY", "V6_ONLY", "V4_PREFERRED", "ALL"}});
  fields.idle("use_tcp_for_dns_lookups", grammar::Flag{});
  fields.idle("wait_for_warm_on_init", grammar::Flag{true});
  fields.idle("protocol_selection",
              grammar::Choice{.words = {"USE_CONFIGURED_PROTOCOL", "USE_DOWNSTREAM_PROTOCOL"}, .otherwise = 0});
  fields.idle("close_connections_on_host_health_failure", grammar::Flag{});
  fields.idle("track_timeout_budgets", grammar::Flag{});
  fields.idle("preconnect_policy", Record<PreconnectPolicy>{});
  fields.idle("connection_pool_per_downstream_connection", grammar::Flag{});
  fields.idle("lrs_report_endpoint_metrics", ListOf<Text>{{0, 10'000}});
  fields.idle("transport_socket", Unlisted<TransportSocket>{});
  fields.idle("track_cluster_stats", Unlisted<TrackClusterStats>{});
  fields.idle("upstream_connection_options", Unlisted<UpstreamConnectionOptions>{});
  fields.idle("http_protocol_options", Unlisted<Http1ProtocolOptions>{});
  fields.idle("upstream_http_protocol_options", Unlisted<UpstreamHttpProtocolOptions>{});
  fields.idle("metadata", Record<Metadata>{});
  fields.idle("transport_socket_matches", ListOf<Record<TransportSocketMatch>>{});
}

void describe(Fields& fields, DnsCluster& config) {
  fields.message();
  fields.idle("dns_refresh_rate", above_a_millisecond);
  fields.idle("dns_failure_refresh_rate", Record<RefreshRate>{});
  fields.idle("respect_dns_ttl", grammar::Flag{});
  fields.idle("dns_jitter", grammar::ProtoDuration{});
  fields.idle(
      "dns_lookup_family",
      grammar::Choice{.words = {"UNSPECIFIED", "AUTO", "V4_ONLY", "V6_ONLY", "V4_PREFERRED", "ALL"}, .otherwise = 0});
  fields.without_influence({"typed_dns_resolver_config"});
  fields.optional("all_addresses_in_single_endpoint", config.all_addresses_in_single_endpoint, grammar::Flag{},
                  "one host for all addresses, as LOGICAL_DNS has it; false, as STRICT_DNS, by default");
}

}  // namespace spillway::messages
