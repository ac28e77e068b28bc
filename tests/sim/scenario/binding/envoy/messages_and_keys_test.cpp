// Messages that Envoy does not know, bounds of fields without influence, and hosts that a hash policy cannot tell
// apart: as `envoy --mode validate` of 1.40 and a running one have it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "models/envoy/api/api_tables.hpp"
#include "sim/run/simulation.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"

using namespace spillway;
using namespace spillway::scenario;

namespace {

Reading read_cluster_text(const std::string& fields, const std::string& endpoint_fields = "") {
  const auto endpoint = [&](const std::string& address) {
    return "{endpoint: {address: {socket_address: {address: " + address + ", port_value: 80}}" + endpoint_fields + "}}";
  };
  return read_envoy_texts(
      {SourceFile{"cluster.yaml", "static_resources: {clusters: [{name: c, type: STATIC, connect_timeout: 1s, " +
                                      fields + "load_assignment: {cluster_name: c, endpoints: [{lb_endpoints: [" +
                                      endpoint("10.0.0.1") + ", " + endpoint("10.0.0.2") + "]}]}}]}\n"}});
}

// The codes of its errors, and of its warnings, joined.
std::string codes(const Reading& reading) {
  std::string all;
  for (const Diagnostic& problem : reading.diagnostics) {
    all += (all.empty() ? "" : " ") + problem.code;
  }
  return all;
}

constexpr const char* type_prefix = "'@type': type.googleapis.com/";

}  // namespace

TEST_CASE("Envoy's messages of today are known by name, within others too") {
  using api::is_known_message;
  CHECK(is_known_message("envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext"));
  CHECK(is_known_message("envoy.extensions.filters.http.header_to_metadata.v3.Config.Rule"));
  CHECK(is_known_message("envoy.config.cluster.v3.Cluster"));
  CHECK(is_known_message("google.protobuf.Struct"));
  CHECK(is_known_message("xds.type.v3.TypedStruct"));
  CHECK_FALSE(is_known_message("envoy.extensions.transport_sockets.tls.v3.UpstreamTls"));
  CHECK_FALSE(is_known_message("envoy.extensions.transport_sockets.v3.UpstreamTlsContext"));
  CHECK_FALSE(is_known_message("envoy.foo.Bar"));
  // In the descriptors, but not in Envoy.
  CHECK_FALSE(is_known_message("envoy.extensions.load_balancing_policies.pick_first.v3.PickFirst"));
  CHECK_FALSE(is_known_message("envoy.api.v2.auth.UpstreamTlsContext"));
  CHECK_FALSE(is_known_message("envoy"));
  CHECK_FALSE(is_known_message(""));
}

TEST_CASE("a message that Envoy does not know is refused wherever it stands") {
  const std::string unknown = std::string("{") + type_prefix + "envoy.foo.Bar}";
  CHECK(codes(read_cluster_text("transport_socket: {name: x, typed_config: " + unknown + "}, ")) == "SP148");
  CHECK(codes(read_cluster_text("filters: [{name: x, typed_config: " + unknown + "}], ")) == "SP148");
  CHECK(codes(read_cluster_text("upstream_config: {name: x, typed_config: " + unknown + "}, ")) == "SP148");
  CHECK(codes(read_cluster_text("typed_dns_resolver_config: {name: x, typed_config: " + unknown + "}, ")) == "SP148");
  CHECK(
      codes(read_cluster_text(std::string("transport_socket: {name: envoy.transport_sockets.raw_buffer, typed_config: "
                                          "{") +
                              type_prefix + "envoy.extensions.transport_sockets.raw_buffer.v3.RawBuffer}}, "))
          .empty());
}

TEST_CASE("bounds and names of fields without influence are Envoy's") {
  const auto refused = [](const std::string& fields) { return !read_cluster_text(fields + ", ").scenario; };
  CHECK(refused("transport_socket: {name: x}"));
  CHECK(refused("transport_socket: {}"));
  CHECK(refused("cleanup_interval: 0s"));
  CHECK(refused("upstream_connection_options: {foo: 1}"));
  CHECK(refused("track_cluster_stats: {foo: 1}"));
  CHECK(refused("http_protocol_options: {foo: 1}"));
  CHECK(refused("upstream_http_protocol_options: {foo: 1}"));
  CHECK(refused("common_http_protocol_options: {max_headers_count: 0}"));
  CHECK(refused("common_http_protocol_options: {headers_with_underscores_action: FOO}"));
  CHECK_FALSE(refused("upstream_connection_options: {tcp_keepalive: {keepalive_probes: 1}}"));
  CHECK_FALSE(refused("track_cluster_stats: {timeout_budgets: true}"));
  CHECK_FALSE(refused("common_http_protocol_options: {max_requests_per_connection: 0, max_stream_duration: 0s}"));
  const std::string options =
      std::string("typed_extension_protocol_options: {envoy.extensions.upstreams.http.v3.HttpProtocolOptions: {") +
      type_prefix + "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";
  CHECK(refused(options + "}}"));
  CHECK(refused(options + ", explicit_http_config: {}}}"));
  CHECK(refused(options + ", explicit_http_config: {http_protocol_options: {foo: 1}}}}"));
  CHECK(refused(options + ", explicit_http_config: {http2_protocol_options: {initial_stream_window_size: 1}}}}"));
  CHECK(refused(options + ", explicit_http_config: {http_protocol_options: {}}, outlier_detection: {}}}"));
  CHECK_FALSE(refused(options + ", explicit_http_config: {http_protocol_options: {}}}}"));
}

TEST_CASE("hosts with one hash key have no shares of their own, and a warning says so") {
  for (const char* const policy : {"ring_hash.v3.RingHash", "maglev.v3.Maglev"}) {
    INFO(policy);
    const std::string field = policy == std::string("maglev.v3.Maglev")
                                  ? "consistent_hashing_lb_config: {use_hostname_for_hashing: true}"
                                  : "use_hostname_for_hashing: true";
    const std::string fields =
        std::string("load_balancing_policy: {policies: [{typed_extension_config: {name: p, typed_config: {") +
        type_prefix + "envoy.extensions.load_balancing_policies." + policy + ", " + field + "}}}]}, ";
    const Reading reading = read_cluster_text(fields);
    CHECK(codes(reading) == "SP217");
    REQUIRE(reading.scenario);
    const auto results = spillway::run::Simulation(*reading.scenario, {}).simulate();
    REQUIRE(results.shares.size() == 2);
    CHECK(std::none_of(results.shares.begin(), results.shares.end(),
                       [](const auto& share) { return share.exact.has_value(); }));
  }
}
