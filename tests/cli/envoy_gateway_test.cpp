#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/support/program.hpp"

using spillway::support::contents;
using spillway::support::Finished;
using spillway::support::run_program;
using spillway::support::TemporaryFolder;

namespace {

constexpr const char* split_route = R"(apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: shop }
spec:
  parentRefs: [{ name: eg }]
  hostnames: [shop.example]
  rules:
    - backendRefs:
        - { name: old, port: 80, weight: 9 }
        - { name: new, port: 80, weight: 1 }
---
)";

// A policy of Envoy Gateway for the route with these fields.
std::string policy(const std::string& fields, const std::string& target = "shop") {
  return "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: { name: policy }\nspec:\n"
         "  targetRefs: [{ group: gateway.networking.k8s.io, kind: HTTPRoute, name: " +
         target + " }]\n" + fields;
}

// Returns the exact shares of a client by cluster and zone, in an epoch.
std::map<std::string, double> shares_of(const std::string& file, const std::string& client, int epoch = 0) {
  const Finished result = run_program({"share", file, "--quiet", "-o", "json"});
  CAPTURE(result.output, result.error);
  REQUIRE(result.code == 0);
  std::map<std::string, double> shares;
  const auto read_1 = nlohmann::json::parse(result.output);
  for (const auto& row : read_1.at("shares")) {
    if (row.at("client") == client && row.at("epoch") == epoch) {
      shares[row.at("cluster").get<std::string>() + "/" + row.at("zone").get<std::string>()] +=
          row.at("exact").get<double>();
    }
  }
  return shares;
}

}  // namespace

// envoy-gateway.md, "Where it differs from Istio": the split is by locality weights, so that ejections move it.
TEST_CASE("Envoy Gateway splits a rule by locality weights, which unhealthy pods move") {
  TemporaryFolder folder;
  const std::string route =
      folder.write("route.yaml", split_route + policy("  circuitBreaker: { maxConnections: 9 }\n"));
  auto shares = shares_of(route, "gateway");
  CHECK(shares.at("shop/old") == Approx(0.9));
  CHECK(shares.at("shop/new") == Approx(0.1));
  const std::string scenario = folder.path("scenario.yaml");
  REQUIRE(run_program({"init", route, "-o", scenario}).code == 0);
  // Half of `old`: its weight 9 becomes 9 * 1.4 * 50 % = 6.3 beside the 1 of `new`.
  const std::string text = contents(scenario) + "\ntimeline: [{ at: 5s, service: shop, zone: old, healthy: 50% }]\n";
  shares = shares_of(folder.write("ejected.yaml", text), "gateway", 1);
  CHECK(shares.at("shop/old") == Approx(6.3 / 7.3));
}

TEST_CASE("With zone-aware routing a rule is split by weighted clusters, and each gateway keeps to its zone") {
  TemporaryFolder folder;
  const std::string route = folder.write(
      "route.yaml", split_route + policy("  loadBalancer: { type: RoundRobin, zoneAware: { preferLocal: {} } }\n"));
  const Finished result = run_program({"share", route, "--quiet", "-o", "json"});
  CAPTURE(result.output, result.error);
  REQUIRE(result.code == 0);
  std::size_t rows = 0;
  const auto read_2 = nlohmann::json::parse(result.output);
  for (const auto& row : read_2.at("shares")) {
    if (row.at("client") == "gateway-zone-1" && row.at("exact") > 0.0) {
      CHECK(row.at("zone") == "zone-1");
      ++rows;
    }
  }
  CHECK(rows > 0);
  const std::string without = folder.write("without.yaml", split_route + policy("  circuitBreaker: {}\n"));
  CHECK(shares_of(without, "gateway").contains("shop/new"));
}

TEST_CASE("`weightedZones` weights zones, and zones that it does not list have 1") {
  TemporaryFolder folder;
  const std::string one = R"(apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: shop }
spec: { parentRefs: [{ name: eg }], rules: [{ backendRefs: [{ name: web, port: 80 }] }] }
---
)";
  const std::string route = folder.write(
      "route.yaml",
      one + policy("  loadBalancer: { type: Random, zoneAware: { weightedZones: [{ zone: zone-1, weight: 8 }] } }\n"));
  const auto shares = shares_of(route, "gateway-zone-2");
  CHECK(shares.at("shop/zone-1") == Approx(0.8));
  CHECK(shares.at("shop/zone-3") == Approx(0.1));
}

TEST_CASE("A Backend with `fallback` gets requests only when the others are down") {
  TemporaryFolder folder;
  const std::string documents = R"(apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: shop }
spec:
  parentRefs: [{ name: eg }]
  rules: [{ backendRefs: [{ group: gateway.envoyproxy.io, kind: Backend, name: main },
                          { group: gateway.envoyproxy.io, kind: Backend, name: spare }] }]
---
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: Backend
metadata: { name: main }
spec: { endpoints: [{ ip: { address: 10.0.0.1, port: 80 } }, { ip: { address: 10.0.0.2, port: 80 } }] }
---
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: Backend
metadata: { name: spare }
spec: { fallback: true, endpoints: [{ ip: { address: 10.0.0.9, port: 443 } }] }
)";
  const std::string scenario = folder.path("scenario.yaml");
  REQUIRE(run_program({"init", folder.write("shop.yaml", documents), "-o", scenario}).code == 0);
  const std::string text = contents(scenario) + "\ntimeline: [{ at: 5s, service: shop, zone: main, healthy: 0% }]\n";
  const std::string file = folder.write("down.yaml", text);
  CHECK(shares_of(file, "gateway").at("shop/main") == 1.0);
  CHECK(shares_of(file, "gateway", 1).at("shop/spare") == 1.0);
}

TEST_CASE("A policy of Envoy Gateway is tried, diffed and simulated alone, and has no silent parts") {
  TemporaryFolder folder;
  const std::string alone = folder.write(
      "policy.yaml",
      policy(
          "  loadBalancer: { type: LeastRequest, zoneAware: { preferLocal: {} } }\n  rateLimit: { type: Global }\n"));
  const Finished tried = run_program({"try", alone, "--quiet"});
  CAPTURE(tried.output, tried.error);
  CHECK(tried.code == 0);
  CHECK(tried.output.find("gateway-zone-1: with all pods ready, zone-1 gets 100 % (33.33 % without the rule)") == 0);
  const Finished shared = run_program({"share", alone, "--quiet"});
  CHECK(shared.output.find("an HTTPRoute `shop` to a Service of that name") != std::string::npos);
  CHECK(shared.output.find("`rateLimit` is not simulated") != std::string::npos);
  for (const char* const command : {"run", "explain", "validate"}) {
    CHECK(run_program({command, alone, "--quiet"}).code == 0);
  }
  const std::string other = folder.write("other.yaml", policy("  loadBalancer: { type: LeastRequest }\n"));
  CHECK(run_program({"diff", alone, other, "--quiet"}).code == 1);
  const std::string wrong = folder.write("wrong.yaml", policy("  circuitBreaker:\n    maxConnection: 1\n"));
  const Finished refused = run_program({"share", wrong, "--quiet"});
  CHECK(refused.code == 2);
  CHECK(refused.error.find("wrong.yaml:7:5") != std::string::npos);
  const std::string elsewhere =
      folder.write("elsewhere.yaml", split_route + policy("  circuitBreaker: { maxConnections: 1 }\n", "cart"));
  CHECK(run_program({"share", elsewhere, "--quiet"}).output.find("`policy` has no effect") != std::string::npos);
}

TEST_CASE("Query parameters tell rules of Envoy Gateway apart, and documents of Istio beside them are named") {
  TemporaryFolder folder;
  const std::string route = folder.write(
      "query.yaml",
      "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: { name: shop }\nspec:\n"
      "  parentRefs: [{ name: eg }]\n  rules:\n"
      "    - matches: [{ queryParams: [{ name: canary, value: 'yes' }] }]\n"
      "      backendRefs: [{ name: new, port: 80 }]\n"
      "    - backendRefs: [{ name: old, port: 80 }]\n---\n"
      "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: { name: old }\nspec: { host: old }\n---\n" +
          policy("  circuitBreaker: { maxConnections: 9 }\n"));
  const Finished result = run_program({"share", route, "--quiet", "-o", "json"});
  CAPTURE(result.output, result.error);
  REQUIRE(result.code == 0);
  std::map<std::string, double> by_client_and_cluster;
  const auto results = nlohmann::json::parse(result.output);
  for (const auto& row : results.at("shares")) {
    by_client_and_cluster[row.at("client").get<std::string>() + ": " +
                          row.at("endpoint").get<std::string>().substr(0, 3)] += row.at("exact").get<double>();
  }
  REQUIRE(by_client_and_cluster.size() == 2);
  for (const auto& [name, share] : by_client_and_cluster) {
    CHECK(share == Approx(1.0));
  }
  CHECK(result.output.find("a header `x-query-NAME` stands for each query parameter") != std::string::npos);
  CHECK(result.output.find("left out, since the gateways are Envoy Gateway's: `DestinationRule`") != std::string::npos);
}

// internal/ir/xds.go, HasMixedEndpoints: only host names beside addresses need clusters of their own.
TEST_CASE("A fallback Backend with an address shares the cluster of the Services beside it") {
  TemporaryFolder folder;
  const auto route = [&](const std::string& endpoint) {
    return folder.write("fallback.yaml", R"(apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: shop }
spec:
  parentRefs: [{ name: eg }]
  rules: [{ backendRefs: [{ name: one, port: 80, weight: 8 }, { name: two, port: 80, weight: 2 },
                          { group: gateway.envoyproxy.io, kind: Backend, name: spare }] }]
---
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: Backend
metadata: { name: spare }
spec: { fallback: true, endpoints: [{ )" + endpoint +
                                             " }] }\n");
  };
  const auto shares = shares_of(route("ip: { address: 10.0.0.9, port: 80 }"), "gateway");
  CHECK(shares.at("shop/one") == Approx(0.8));
  CHECK(shares.at("shop/two") == Approx(0.2));
  const auto divided = shares_of(route("fqdn: { hostname: spare.example, port: 80 }"), "gateway");
  std::set<std::string> clusters;
  for (const auto& [place, share] : divided) {
    clusters.insert(place.substr(0, place.find('/')));
  }
  CHECK(clusters.size() == 3);
}
