// Fields that say nothing of where requests go, and that Envoy checks all the same: every line was tried with
// `envoy --mode validate` of 1.40.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/envoy/routes/route.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/service.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;

namespace {

Reading read_with(const std::string& fields, const std::string& type = "STATIC") {
  return read_envoy_texts(
      {{"cluster.json", R"({"name":"c","type":")" + type + "\"," + fields +
                            R"(,"load_assignment":{"cluster_name":"c","endpoints":[{"lb_endpoints":[{"endpoint":)"
                            R"({"address":{"socket_address":{"address":"10.0.0.1","port_value":80}}}}]}]}})"}},
      {});
}

bool takes(const std::string& fields, const std::string& type = "STATIC") {
  const Reading reading = read_with(fields, type);
  UNSCOPED_INFO(fields << "\n" << documents::render_diagnostics(reading.diagnostics, reading.sources));
  return reading.scenario.has_value();
}

std::string tls(const std::string& fields) {
  return R"({"name":"t","typed_config":{"@type":)"
         R"("type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext")" +
         (fields.empty() ? "" : "," + fields) + "}}";
}

std::string protocol_options(const std::string& name, const std::string& type, const std::string& fields = "") {
  return R"("typed_extension_protocol_options":{")" + name + R"(":{"@type":"type.googleapis.com/)" + type + "\"" +
         (fields.empty() ? "" : "," + fields) + "}}";
}
const std::string http_options = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";
const std::string tcp_options = "envoy.extensions.upstreams.tcp.v3.TcpProtocolOptions";
const std::string http1 = R"("explicit_http_config":{"http_protocol_options":{}})";

std::string bound_by(const std::string& fields) {
  return R"("upstream_bind_config":{)" + fields + "}";
}
std::string source(const std::string& address, const std::string& port = R"("port_value":0)") {
  return R"({"address":")" + address + "\"" + (port.empty() ? "" : "," + port) + "}";
}

std::string resolver(const std::string& address) {
  return R"("dns_resolvers":[)" + address + "]";
}
std::string socket_at_port(const std::string& address, const std::string& port = R"("port_value":53)") {
  return R"({"socket_address":)" + source(address, port) + "}";
}

std::string hashed_by(const std::string& policy) {
  return R"("load_balancing_policy":{"policies":[{"typed_extension_config":{"name":"x","typed_config":{"@type":)"
         R"("type.googleapis.com/envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash",)"
         R"("consistent_hashing_lb_config":{"hash_policy":[)" +
         policy + "]}}}}]}";
}

}  // namespace

TEST_CASE("A TLS context has the fields that Envoy knows, at every depth", "[envoy][idle]") {
  const std::string own = R"("transport_socket":)";
  CHECK(takes(own + tls(R"("sni":"a","commonTlsContext":{"tls_params":{"cipher_suites":["AES128-SHA"]}})")));
  CHECK_FALSE(takes(own + tls(R"("snii":"a")")));
  CHECK_FALSE(takes(own + tls(R"("common_tls_context":{"x":1})")));
  CHECK_FALSE(takes(own + tls(R"("common_tls_context":{"tls_params":{"x":1}})")));
  CHECK_FALSE(takes(own + tls(R"("common_tls_context":{"validation_context":{"x":1}})")));
  CHECK_FALSE(takes(R"("transport_socket":{"name":"t","typed_config":{"@type":)"
                    R"("type.googleapis.com/envoy.extensions.transport_sockets.raw_buffer.v3.RawBuffer","x":1}})"));
  const auto match = [](const std::string& socket_field) {
    return R"("transport_socket_matches":[{"name":"m","match":{})" + socket_field + "}]";
  };
  CHECK(takes(match(R"(,"transport_socket":)" + tls(""))));
  CHECK_FALSE(takes(match(R"(,"transport_socket":)" + tls(R"("x":1)"))));
  CHECK_FALSE(takes(match("")));
}

TEST_CASE("Protocol options stand under the names that Envoy knows", "[envoy][idle]") {
  CHECK(takes(protocol_options(http_options, http_options, http1)));
  CHECK(takes(protocol_options("envoy.upstreams.http.http_protocol_options", http_options, http1)));
  CHECK(takes(protocol_options(tcp_options, tcp_options)));
  CHECK(takes(protocol_options("envoy.upstreams.tcp.tcp_protocol_options", tcp_options)));
  CHECK(takes(protocol_options("envoy.filters.network.thrift_proxy",
                               "envoy.extensions.filters.network.thrift_proxy.v3.ThriftProtocolOptions")));
  CHECK(takes(protocol_options("envoy.filters.network.redis_proxy",
                               "envoy.extensions.filters.network.redis_proxy.v3.RedisProtocolOptions")));
  CHECK_FALSE(takes(protocol_options("foo", http_options, http1)));
  CHECK_FALSE(takes(protocol_options("", http_options, http1)));
  CHECK_FALSE(takes(protocol_options("envoy.thrift_proxy",
                                     "envoy.extensions.filters.network.thrift_proxy.v3.ThriftProtocolOptions")));
  CHECK_FALSE(takes(protocol_options("envoy.filters.network.thrift_proxy", http_options, http1)));
  CHECK_FALSE(takes(protocol_options(tcp_options, http_options, http1)));
  CHECK_FALSE(takes(protocol_options(http_options, tcp_options)));
  CHECK_FALSE(takes(protocol_options(tcp_options, tcp_options, R"("x":1)")));
  CHECK_FALSE(takes(protocol_options("envoy.filters.http.buffer", tcp_options)));
}

// With HTTP/2 under the older name a gRPC check is refused: the cluster does not speak it.
TEST_CASE("Protocol options under their older name have no effect", "[envoy][idle]") {
  const std::string http2 = R"("explicit_http_config":{"http2_protocol_options":{}})";
  const std::string check = R"("health_checks":[{"timeout":"1s","interval":"1s","unhealthy_threshold":1,)"
                            R"("healthy_threshold":1,"grpc_health_check":{}}])";
  CHECK(takes(protocol_options(http_options, http_options, http2) + "," + check));
  CHECK_FALSE(takes(protocol_options("envoy.upstreams.http.http_protocol_options", http_options, http2) + "," + check));
  const Reading reading =
      read_with(protocol_options("envoy.upstreams.http.http_protocol_options", http_options,
                                 http1 + R"(,"common_http_protocol_options":{"max_stream_duration":"1s"})"));
  REQUIRE(reading.scenario.has_value());
  CHECK(reading.scenario->services.at(0).cluster.max_stream_duration == std::chrono::nanoseconds{0});
  REQUIRE(reading.diagnostics.size() == 1);
  CHECK(reading.diagnostics.front().code == "SP230");
}

TEST_CASE("Connections come from IP addresses, of each version at most one", "[envoy][idle]") {
  const std::string from = R"("source_address":)";
  const std::string extra = R"("extra_source_addresses":[)";
  CHECK(takes(bound_by("")));
  CHECK(takes(bound_by(R"("freebind":true)")));
  CHECK(takes(bound_by(from + source("127.0.0.1"))));
  CHECK(takes(bound_by(from + source("127.0.0.1") + "," + extra + R"({"address":)" + source("::1") + "}]")));
  CHECK(takes(bound_by(from + source("127.0.0.1") + R"(,"additional_source_addresses":[)" + source("::1") + "]")));
  for (const std::string& refused :
       {from + R"({"port_value":0})", from + source(""), from + source("foo"), from + source("127.0.0.1", ""),
        from + source("127.0.0.1", R"("named_port":"x")"), from + source("127.0.0.1", R"("port_value":70000)"),
        extra + R"({"address":)" + source("127.0.0.2") + "}]", std::string(R"("x":1)"),
        from + source("127.0.0.1") + "," + extra + R"({"address":)" + source("127.0.0.2") + "}]",
        from + source("127.0.0.1") + "," + extra + R"({"address":)" + source("::1") + R"(},{"address":)" +
            source("::2") + "}]",
        from + source("127.0.0.1") + R"(,"additional_source_addresses":[)" + source("::1") + "]," + extra +
            R"({"address":)" + source("::1") + "}]"}) {
    CHECK_FALSE(takes(bound_by(refused)));
  }
  const auto bootstrap = [](const std::string& address) {
    return read_envoy_texts(
               {{"bootstrap.json", R"({"cluster_manager":{"upstream_bind_config":{"source_address":)" +
                                       source(address) + R"(}},"static_resources":{"clusters":[{"name":"c"}]}})"}},
               {})
        .scenario.has_value();
  };
  CHECK(bootstrap("127.0.0.1"));
  CHECK_FALSE(bootstrap("foo"));
}

TEST_CASE("Resolvers are addresses, of clusters that ask them IP addresses", "[envoy][idle]") {
  const std::string named = socket_at_port("127.0.0.1", R"("named_port":"x")");
  for (const std::string& address :
       {socket_at_port("127.0.0.1"), socket_at_port("foo"), named, std::string(R"({"pipe":{"path":"/tmp/x"}})"),
        std::string(R"({"envoy_internal_address":{"server_listener_name":"x"}})")}) {
    CHECK(takes(resolver(address)));
    CHECK(takes(resolver(address), "STRICT_DNS") == (address == socket_at_port("127.0.0.1")));
    CHECK(takes(resolver(address), "LOGICAL_DNS") == (address == socket_at_port("127.0.0.1")));
  }
  for (const std::string& address :
       {std::string("{}"), socket_at_port("127.0.0.1", ""), std::string(R"({"pipe":{"path":""}})")}) {
    CHECK_FALSE(takes(resolver(address)));
  }
}

TEST_CASE("Names in a hash policy may be empty within a typed policy, and not in a route", "[envoy][idle]") {
  for (const char* const policy :
       {R"({"header":{"header_name":""}})", R"({"header":{}})", R"({"cookie":{"name":""}})",
        R"({"cookie":{"name":"a","ttl":"1s","attributes":[{"name":""}]}})", R"({"query_parameter":{"name":""}})",
        R"({"filter_state":{"key":""}})", R"({"connection_properties":{}})"}) {
    CHECK(takes(hashed_by(policy)));
  }
  CHECK_FALSE(takes(hashed_by("{}")));
  CHECK_FALSE(takes(hashed_by(R"({"header":{"name":"a"}})")));
  const Reading reading = read_scenario_text(
      "test.yaml", test::scenario_with("routes: [{ match: { prefix: / }, route: { cluster: backend, hash_policy: [{ "
                                       "header: { header_name: '' } }] } }]\n"));
  CHECK_FALSE(reading.scenario.has_value());
}
