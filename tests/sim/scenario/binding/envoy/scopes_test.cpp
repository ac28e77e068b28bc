// Scoped routes as requests that stand for them. Rules: the comments of ScopedRoutes in Envoy's
// http_connection_manager.proto.
#include "models/envoy/proxy/scopes.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/documents/render_diagnostics.hpp"
#include "sim/scenario/binding/envoy/proxy_configuration.hpp"
#include "sim/scenario/route.hpp"

namespace spillway::scenario {
namespace {

std::string scoped_bootstrap(const std::string& fragments, const std::string& scopes) {
  std::string text =
      "static_resources:\n  listeners:\n  - name: in\n    address: { socket_address: { address: 0.0.0.0, port_value: "
      "443 } }\n    filter_chains:\n    - filters: [{ name: hcm, typed_config: { \"@type\": "
      "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager, "
      "stat_prefix: x, scoped_routes: { name: s, scope_key_builder: { fragments: [" +
      fragments + "] }, scoped_route_configurations_list: { scoped_route_configurations: [" + scopes + "] } } } }]\n" +
      "  clusters:\n";
  for (const char* const name : {"a", "b"}) {
    text +=
        std::string("  - { name: ") + name + ", load_assignment: { cluster_name: " + name +
        ", endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 "
        "} } } }] }] } }\n";
  }
  return text;
}

std::string scope_of(const std::string& name, const std::string& keys, const std::string& cluster) {
  return "{ name: " + name + ", key: { fragments: [" + keys + "] }, route_configuration: { name: r-" + name +
         ", virtual_hosts: [{ name: v, domains: ['*'], routes: [{ match: { prefix: / }, route: { cluster: " + cluster +
         " } }] }] } }";
}

// "x-env=prod -> a", for each request that was described.
std::vector<std::string> described_of(const std::string& text, std::vector<std::string>* passed_over = nullptr) {
  const auto proxy = ProxyConfiguration::read(Sources{{"b.yaml", text}});
  const proxy::DescribedRoutes described = proxy.described_routes();
  std::vector<std::string> lines;
  for (const proxy::RequestDescription& request : described.requests) {
    const auto reading = proxy.asked(request);
    INFO(documents::render_diagnostics(reading.diagnostics, proxy.sources()));
    REQUIRE(reading.scenario.has_value());
    std::string line;
    for (const auto& [name, value] : request.headers) {
      line += name + "=" + value + " ";
    }
    lines.push_back(line + "-> " + reading.scenario->routes.at(0).route.action.clusters.at(0).name);
  }
  if (passed_over != nullptr) {
    *passed_over = described.passed_over;
  }
  return lines;
}

}  // namespace

TEST_CASE("Each scope gets a request with the header that leads to it", "[envoy]") {
  CHECK(described_of(scoped_bootstrap(
            "{ header_value_extractor: { name: x-env } }",
            scope_of("prod", "{ string_key: prod }", "a") + ", " + scope_of("test", "{ string_key: test }", "b"))) ==
        std::vector<std::string>{"x-env=prod -> a", "x-env=test -> b"});
}

TEST_CASE("Fragments of a scope's key stand in elements of one header", "[envoy]") {
  CHECK(described_of(
            scoped_bootstrap("{ header_value_extractor: { name: x-place, element_separator: \";\", index: 1 } }, { "
                             "header_value_extractor: { name: x-place, element_separator: \";\", element: { "
                             "separator: \"=\", key: tier } } }",
                             scope_of("one", "{ string_key: eu }, { string_key: gold }", "b"))) ==
        std::vector<std::string>{"x-place=;eu;tier=gold -> b"});
}

TEST_CASE("A scope whose key no header can make is ignored with the reason", "[envoy]") {
  std::vector<std::string> passed_over;
  CHECK(described_of(scoped_bootstrap("{ header_value_extractor: { name: x-env } }",
                                      scope_of("odd", "{ string_key: a }, { string_key: b }", "a")),
                     &passed_over)
            .empty());
  CHECK(passed_over == std::vector<std::string>{"route `odd`: no headers are known that make its key"});
}

TEST_CASE("A virtual host with thousands of routes is described whole", "[envoy]") {
  std::string routes;
  for (int i = 0; i < 1'500; ++i) {
    routes += (i == 0 ? "" : ", ") + std::string("{ match: { prefix: /svc/") + std::to_string(10'000 + i) +
              "/ }, route: { cluster: a } }";
  }
  const std::string text =
      "static_resources: { listeners: [{ name: in, address: { socket_address: { address: 0.0.0.0, port_value: 80 } }, "
      "filter_chains: [{ filters: [{ name: hcm, typed_config: { '@type': "
      "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager, "
      "stat_prefix: x, route_config: { name: r, virtual_hosts: [{ name: v, domains: ['*'], routes: [" +
      routes + "] }] } } }] }] }], clusters: [{ name: a }] }\n";
  const proxy::DescribedRoutes described = ProxyConfiguration::read(Sources{{"b.yaml", text}}).described_routes();
  CHECK(described.passed_over.empty());
  REQUIRE(described.requests.size() == 1'500);
  CHECK(described.requests.back().path == "/svc/11499/");
}

}  // namespace spillway::scenario
