// Services that the file writes itself, beside rules of Istio that name them: the rules act on them.
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "sim/scenario/read_scenario.hpp"
#include "tests/sim/scenario/binding/istio/answered_shares.hpp"

namespace spillway::scenario {

namespace {

using Shares = std::map<std::string, double>;

std::string rule_for(const std::string& host, const std::string& name_space, const std::string& spec = "") {
  return "  - { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: r-" + name_space +
         ", namespace: " + name_space + " }, spec: { host: '" + host + "', " +
         (spec.empty() ? "trafficPolicy: { outlierDetection: { maxEjectionPercent: 100 } }" : spec) + " } }\n";
}

// `cart`, with two endpoints in each of two zones, and a client in the first.
std::string written_world(const std::string& resources, const std::string& more = "",
                          const std::string& name = "cart") {
  return "duration: 2s\nmode: exact\nzones: [{ name: a }, { name: b }]\nservices:\n  - name: " + name +
         "\n    endpoints: [{ count: 2, zone: a, tags: { version: v1 } }, { count: 2, zone: b, tags: { version: v2 } "
         "}]\n"
         "clients: [{ name: c, zone: a, workload: { service: " +
         name + ", rate: 10rps } }]\nresources:\n" + resources + more;
}

Shares shares_of_written(const std::string& text) {
  const Reading reading = read_scenario_text("test.yaml", text);
  REQUIRE(reading.scenario);
  return test::answered_shares(*reading.scenario).at("c");
}

std::vector<std::string> errors_of(const std::string& text) {
  std::vector<std::string> found;
  for (const Diagnostic& problem : read_scenario_text("test.yaml", text).diagnostics) {
    if (problem.severity == Severity::error) {
      found.push_back(problem.code + " " + problem.label);
    }
  }
  return found;
}

const Shares everywhere = {{"cart-1", 0.25}, {"cart-2", 0.25}, {"cart-3", 0.25}, {"cart-4", 0.25}};
// Outlier detection makes the mesh's locality setting act: the client's zone comes first.
const Shares own_zone = {{"cart-1", 0.5}, {"cart-2", 0.5}};

}  // namespace

TEST_CASE("A DestinationRule acts on a service of the file by its host", "[istio]") {
  CHECK(shares_of_written(written_world(rule_for("cart", "shop"))) == own_zone);
  CHECK(shares_of_written(written_world(rule_for("cart.shop.svc.cluster.local", "istio-system"))) == own_zone);
  CHECK(shares_of_written(written_world(rule_for("*.shop.svc.cluster.local", "istio-system"))) == own_zone);
  CHECK(shares_of_written(written_world(rule_for("*", "istio-system"))) == own_zone);
  // Rules for others do not.
  CHECK(shares_of_written(written_world(rule_for("payment", "shop"))) == everywhere);
}

TEST_CASE("A rule acts on a service of the file that is named with its namespace", "[istio]") {
  Shares expected;
  for (const char* const endpoint : {"cart.shop-1", "cart.shop-2"}) {
    expected.emplace(endpoint, 0.5);
  }
  CHECK(shares_of_written(written_world(rule_for("cart", "shop"), "", "cart.shop")) == expected);
}

TEST_CASE("A VirtualService splits the requests for a service of the file by the tags of its endpoints", "[istio]") {
  const std::string subsets = rule_for(
      "cart", "shop", "subsets: [{ name: v1, labels: { version: v1 } }, { name: v2, labels: { version: v2 } }]");
  const std::string split =
      "  - { apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: { name: v, namespace: shop }, spec: { "
      "hosts: [cart], http: [{ route: [{ destination: { host: cart, subset: v1 }, weight: 80 }, { destination: { host: "
      "cart, subset: v2 }, weight: 20 }] }] } }\n";
  const Shares shares = shares_of_written(written_world(subsets + split));
  CHECK(shares.at("cart-1") == Approx(0.4));
  CHECK(shares.at("cart-2") == Approx(0.4));
  CHECK(shares.at("cart-3") == Approx(0.1));
  CHECK(shares.at("cart-4") == Approx(0.1));
}

TEST_CASE("What is told of an endpoint of the file reaches the clients that a rule gives views", "[istio]") {
  const std::string text = written_world(rule_for("cart", "shop"), "timeline: [{ at: 1s, zone: a, healthy: 0 }]\n");
  const Reading reading = read_scenario_text("test.yaml", text);
  REQUIRE(reading.scenario);
  // One second in its own zone, one in the other: the client's priority 0 has nobody left.
  CHECK(test::answered_shares(*reading.scenario).at("c") == everywhere);
}

TEST_CASE("What istiod makes cannot be written beside its rules", "[istio]") {
  CHECK(errors_of(written_world(rule_for("cart", "shop"), "clusters: [{ name: cart, lb_policy: RANDOM }]\n")) ==
        std::vector<std::string>{"SP644 Istio's rules make the whole cluster of `cart`"});
  CHECK(
      errors_of(written_world(rule_for("payment", "shop"), "clusters: [{ name: cart, lb_policy: RANDOM }]\n")).empty());
  CHECK(errors_of(written_world(rule_for("cart", "shop") + rule_for("cart", "other"))) ==
        std::vector<std::string>{"SP644 rules name it in several namespaces: `cart.other.svc.cluster.local` and "
                                 "`cart.shop.svc.cluster.local`"});
  std::string routed =
      written_world(rule_for("cart", "shop"), "routes: [{ match: { prefix: / }, route: { cluster: cart } }]\n");
  const std::string straight = "workload: { service: cart,";
  routed.replace(routed.find(straight), straight.size(), "workload: { requests: [{ name: all }],");
  CHECK(errors_of(routed) == std::vector<std::string>{"SP644 Istio's rules make the routes of `cart`"});
  const auto later = errors_of(written_world(rule_for("cart", "shop"), "timeline: [{ at: 1s, add: [{ zone: a }] }]\n"));
  REQUIRE(later.size() == 1);
  CHECK(later[0].starts_with("SP644 endpoints that come later"));
}

}  // namespace spillway::scenario
