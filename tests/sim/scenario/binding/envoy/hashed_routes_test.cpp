// RING_HASH and MAGLEV without a hash policy in a proxy's documents (SP773): the documents have every route that leads
// to the cluster, or they do not and nothing is said.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "models/documents/render_diagnostics.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"

namespace spillway::scenario {
namespace {

const std::string no_hash = "route: { cluster: cart }";
const std::string by_user = "route: { cluster: cart, hash_policy: [{ header: { header_name: x-user } }] }";

std::string http(const std::string& routes) {
  return "{ name: hcm, typed_config: { \"@type\": type.googleapis.com/"
         "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager, stat_prefix: x, " +
         routes + " } }";
}

std::string routes_to(const std::string& action, const std::string& more = "") {
  return "route_config: { name: r, virtual_hosts: [{ name: v, domains: ['*'], routes: [{ match: { prefix: /a }, " +
         action + " }" + more + "] }] }";
}

std::string tcp(const std::string& more) {
  return "{ name: tcp, typed_config: { \"@type\": type.googleapis.com/"
         "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy, stat_prefix: x, cluster: cart" +
         more + " } }";
}

// True if a hash without an input is warned of in a bootstrap whose listener has this filter.
bool warns(const std::string& filter, const std::string& cluster = "lb_policy: RING_HASH",
           const std::string& more = "") {
  std::string host = "{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }";
  std::string other = host;
  other.replace(other.find("0.1"), 3, "0.2");
  const std::string text =
      "static_resources:\n  listeners:\n  - name: in\n    address: { socket_address: { address: 0.0.0.0, port_value: "
      "80 } }\n    filter_chains: [{ filters: [" +
      filter + "] }]\n  clusters:\n  - { name: cart, " + cluster +
      ", load_assignment: { cluster_name: cart, endpoints: [{ lb_endpoints: [" + host + ", " + other + "] }] } }\n" +
      more;
  const Reading reading = read_envoy_texts({{"bootstrap.yaml", text}}, {.cluster = "cart"});
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario);
  return std::any_of(reading.diagnostics.begin(), reading.diagnostics.end(),
                     [](const Diagnostic& problem) { return problem.code == "SP773"; });
}

}  // namespace

TEST_CASE("a bootstrap whose routes to a hashing cluster have no hash policy is warned of", "[envoy][lints]") {
  CHECK(warns(http(routes_to(no_hash))));
  CHECK(warns(http(routes_to(no_hash)), "lb_policy: MAGLEV"));
  CHECK_FALSE(warns(http(routes_to(no_hash)), "lb_policy: RANDOM"));
  CHECK(warns(http(routes_to("route: { weighted_clusters: { clusters: [{ name: cart, weight: 1 }] } }"))));
  CHECK(warns(tcp("")));
}

TEST_CASE("one route with a hash policy is enough, whichever cluster or connection it hashes", "[envoy][lints]") {
  CHECK_FALSE(warns(http(routes_to(by_user))));
  CHECK_FALSE(warns(http(routes_to(no_hash, ", { match: { prefix: / }, " + by_user + " }"))));
  CHECK_FALSE(warns(tcp(", hash_policy: [{ source_ip: {} }]")));
  const std::string any = "cluster_header: x-cluster, hash_policy: [{ header: { header_name: x-user } }]";
  CHECK_FALSE(warns(http(routes_to(no_hash, ", { match: { prefix: / }, route: { " + any + " } }"))));
  CHECK_FALSE(warns(http(routes_to(no_hash)),
                    "lb_policy: RING_HASH, typed_extension_protocol_options: { "
                    "envoy.extensions.upstreams.http.v3.HttpProtocolOptions: { \"@type\": type.googleapis.com/"
                    "envoy.extensions.upstreams.http.v3.HttpProtocolOptions, explicit_http_config: { "
                    "http_protocol_options: {} }, hash_policy: [{ header: { header_name: x-user } }] } }"));
}

TEST_CASE("nothing is said of a hash where routes are not in the documents", "[envoy][lints]") {
  CHECK_FALSE(warns(http("rds: { route_config_name: elsewhere, config_source: { ads: {} } }")));
  CHECK_FALSE(
      warns(http(routes_to(no_hash)), "lb_policy: RING_HASH", "dynamic_resources: { lds_config: { ads: {} } }\n"));
  // No route leads there: requests may come by something else.
  CHECK_FALSE(warns(http(routes_to("direct_response: { status: 200 }"))));
}

}  // namespace spillway::scenario
