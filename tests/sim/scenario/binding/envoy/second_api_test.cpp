// Documents of Envoy's second API beside the same of the third. Rules: the deprecated fields, the move_to_package and
// the rename options of the API that Envoy 1.17 shipped.
#include "models/envoy/proxy/second_api.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "models/documents/render_diagnostics.hpp"
#include "models/envoy/api/proto.hpp"
#include "sim/scenario/binding/envoy/proxy_configuration.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service.hpp"
#include "tests/sim/scenario/reading.hpp"

namespace spillway::scenario {
namespace {

const std::string address_of_a = "{ socket_address: { address: 10.0.0.1, port_value: 80 } }";
const std::string address_of_b = "{ socket_address: { address: 10.0.0.2, port_value: 80 } }";

Reading read_older(const std::string& text, proxy::EnvoyOptions options = {}) {
  Reading reading = read_envoy_texts({{"old.yaml", text}}, std::move(options));
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario.has_value());
  const auto codes = test::codes_of(reading.diagnostics);
  CHECK(std::count(codes.begin(), codes.end(), "SP235") == 1);
  REQUIRE_FALSE(reading.scenario->assumptions.empty());
  CHECK(reading.scenario->assumptions.back().find("second API, last supported by 1.17") != std::string::npos);
  return reading;
}

Reading read_today(const std::string& text) {
  Reading reading = read_envoy_texts({{"new.yaml", text}});
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario.has_value());
  CHECK(reading.scenario->assumptions.empty());
  return reading;
}

std::string bootstrap_of(const std::string& filter, const std::string& chain = "") {
  return "static_resources:\n  listeners:\n  - name: in\n    address: { socket_address: { address: 0.0.0.0, "
         "port_value: "
         "80 } }\n    filter_chains:\n    - { " +
         chain + "filters: [" + filter + "] }\n  clusters:\n  - { name: a, type: STATIC, hosts: [" + address_of_a +
         "] }\n  - { name: b, type: STATIC, hosts: [" + address_of_b + "] }\n";
}

std::string manager_of(const std::string& routes) {
  return "{ name: envoy.http_connection_manager, config: { stat_prefix: x, http_filters: [{ name: envoy.router }], "
         "access_log: [{ name: envoy.file_access_log, config: { path: /dev/stdout } }], route_config: { name: r, "
         "virtual_hosts: [{ name: v, domains: ['*'], routes: [" +
         routes + "] }] } } }";
}

}  // namespace

TEST_CASE("hosts of the second API are a load assignment of one locality", "[envoy]") {
  const Reading older = read_older("name: c\ntype: STATIC\nlb_policy: RING_HASH\ntls_context: { sni: c }\nhosts: [" +
                                   address_of_a + ", " + address_of_b + "]\n");
  const Reading today = read_today(
      "name: c\ntype: STATIC\nlb_policy: RING_HASH\nload_assignment: { cluster_name: c, endpoints: [{ lb_endpoints: [{ "
      "endpoint: { address: " +
      address_of_a + " } }, { endpoint: { address: " + address_of_b + " } }] }] }\n");
  const Service& one = older.scenario->services.at(0);
  const Service& other = today.scenario->services.at(0);
  CHECK(one.name == other.name);
  REQUIRE(older.scenario->endpoints.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(older.scenario->endpoints[i].id == today.scenario->endpoints.at(i).id);
  }
  REQUIRE(one.load_assignment.endpoints.size() == 1);
  CHECK(one.load_assignment.cluster_name == other.load_assignment.cluster_name);
  CHECK(one.load_assignment.endpoints[0].lb_endpoints.size() == 2);
  CHECK(one.cluster.lb_policy == other.cluster.lb_policy);
}

TEST_CASE("A policy for original destinations goes by its name of today", "[envoy]") {
  const Reading older = read_older(
      "{ '@type': type.googleapis.com/envoy.api.v2.Cluster, name: c, type: ORIGINAL_DST, lb_policy: ORIGINAL_DST_LB, "
      "drain_connections_on_host_removal: true }\n");
  CHECK(older.scenario->services.size() == 1);
}

TEST_CASE("Filters with a config without a type are read", "[envoy]") {
  const proxy::EnvoyOptions options{
      .cluster = "",
      .request =
          proxy::RequestDescription{.listener = "", .host = "shop.example", .path = "/a", .routes = "", .headers = {}}};
  const Reading older = read_older(
      bootstrap_of(manager_of("{ match: { prefix: /a }, route: { cluster: a, host_rewrite: x, hash_policy: [{ "
                              "header: { header_name: x-user } }] } }, { match: { prefix: / }, route: { "
                              "cluster: b } }"),
                   "tls_context: { common_tls_context: {} }, "),
      options);
  REQUIRE(older.scenario->routes.size() == 1);
  CHECK(older.scenario->routes[0].route.action.clusters.at(0).name == "a");
  CHECK(older.scenario->routes[0].route.action.hash_policy.size() == 1);
}

TEST_CASE("A matcher of another engine than today's is refused by its name", "[envoy]") {
  const proxy::EnvoyOptions options{
      .cluster = "",
      .request =
          proxy::RequestDescription{.listener = "", .host = "shop.example", .path = "/a", .routes = "", .headers = {}}};
  const Reading reading = read_envoy_texts(
      {{"old.yaml", bootstrap_of(manager_of("{ match: { regex: '/.*' }, route: { cluster: a } }"))}}, options);
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  CHECK_FALSE(reading.scenario.has_value());
  CHECK(documents::render_diagnostics(reading.diagnostics, reading.sources).find("`regex`") != std::string::npos);
}

TEST_CASE("The runtime of an older bootstrap is a layer", "[envoy]") {
  const auto read = [](const std::string& runtime) {
    return read_envoy_texts(
        {{"b.yaml", runtime +
                        "static_resources: { clusters: [{ name: a, type: STATIC, "
                        "load_assignment: { cluster_name: a, endpoints: [{ lb_endpoints: [{ endpoint: "
                        "{ address: " +
                        address_of_a + " } }] }] } }] }\n"}});
  };
  const Reading older = read("runtime: { base: { upstream: { healthy_panic_threshold: 10 } } }\n");
  const Reading today = read(
      "layered_runtime: { layers: [{ name: base, static_layer: { upstream: { healthy_panic_threshold: 10 } } }, { "
      "name: "
      "admin, admin_layer: {} }] }\n");
  REQUIRE(older.scenario.has_value());
  REQUIRE(today.scenario.has_value());
  CHECK(older.scenario->runtime.healthy_panic_threshold == 10);
  CHECK(today.scenario->runtime.healthy_panic_threshold == 10);
}

TEST_CASE("Messages of the second API have the names to which they moved", "[envoy]") {
  CHECK(messages::todays_type("envoy.api.v2.Cluster") == "envoy.config.cluster.v3.Cluster");
  CHECK(messages::todays_type("envoy.api.v2.core.Address") == "envoy.config.core.v3.Address");
  CHECK(messages::todays_type("envoy.config.filter.network.tcp_proxy.v2.TcpProxy") ==
        "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy");
  CHECK(messages::todays_type("envoy.config.filter.http.transcoder.v2.GrpcJsonTranscoder") ==
        "envoy.extensions.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder");
  CHECK(messages::todays_type("envoy.config.trace.v2.ZipkinConfig") == "envoy.config.trace.v3.ZipkinConfig");
  CHECK(messages::todays_type("envoy.admin.v2alpha.ClustersConfigDump") == "envoy.admin.v3.ClustersConfigDump");
  CHECK(messages::todays_type("envoy.config.cluster.v3.Cluster").empty());
  CHECK(messages::todays_type("xds.type.v3.TypedStruct").empty());
}

}  // namespace spillway::scenario
