// Destinations that the proxy has no cluster for: their requests fail, the others flow. A real Envoy 1.40 with
// `validate_clusters: false` (as by RDS) answers 10 % of a split with an unknown cluster of weight 10 with a 503,
// counts them in http.no_cluster and tries none of them again.
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "sim/scenario/read_scenario.hpp"
#include "tests/sim/scenario/binding/istio/answered_shares.hpp"
#include "tests/sim/scenario/binding/istio/mesh_of_web.hpp"

namespace spillway::scenario {

namespace {

// `routes`: of the VirtualService of `web`; a rule has the subset v1.
std::string with_routes(const std::string& routes,
                        const std::string& client = "workload: { service: web, rate: 10rps }") {
  return std::string(test::mesh_of_web) +
         "  - { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web }, spec: { host: web, "
         "subsets: [{ name: v1, labels: { version: v1 } }] } }\n"
         "  - { apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: { name: web }, spec: { hosts: "
         "[web], http: [" +
         routes + "] } }\nclients:\n  - { name: c, node: n1, " + client + " }\n";
}

using Shares = std::map<std::string, double>;

Shares shares_of_client(const std::string& text) {
  const Reading reading = read_scenario_text("test.yaml", text);
  REQUIRE(reading.scenario);
  const auto all = test::answered_shares(*reading.scenario);
  const auto of = all.find("c");
  return of == all.end() ? Shares{} : of->second;
}

std::vector<Diagnostic> reported(const std::string& text, const std::string& code) {
  std::vector<Diagnostic> found;
  for (const Diagnostic& problem : read_scenario_text("test.yaml", text).diagnostics) {
    if (problem.code == code) {
      found.push_back(problem);
    }
  }
  return found;
}

}  // namespace

TEST_CASE("Of a split with a subset that no rule has, that part fails and the rest flows", "[istio]") {
  const std::string text = with_routes(
      "{ route: [{ destination: { host: web, subset: v1 }, weight: 90 }, { destination: { host: web, subset: v2 }, "
      "weight: 10 }] }");
  // Two pods have the labels of v1: 45 % each, and 10 % find no cluster.
  CHECK(shares_of_client(text) == Shares{{"web-1", 0.45}, {"web-3", 0.45}});
  const auto warnings = reported(text, "SP656");
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].severity == Severity::warning);
  CHECK(warnings[0].label ==
        "10 % of these requests fail with a 503: there is no cluster `outbound|80|v2|web.default.svc.cluster.local`, "
        "since DestinationRule default/web has no subset `v2`");
}

TEST_CASE("Requests for a host that the mesh does not have fail, alone or in a split", "[istio]") {
  CHECK(shares_of_client(with_routes("{ route: [{ destination: { host: nosuch } }] }")).empty());
  CHECK(shares_of_client(with_routes("{ route: [{ destination: { host: web, port: { number: 99 } } }] }")).empty());
  const Shares split = shares_of_client(with_routes(
      "{ route: [{ destination: { host: web }, weight: 3 }, { destination: { host: nosuch }, weight: 1 }] }"));
  REQUIRE(split.size() == 4);
  CHECK(split.at("web-1") == 0.75 / 4);
}

TEST_CASE("Requests that no route of a VirtualService takes fail", "[istio]") {
  const std::string text =
      with_routes("{ match: [{ uri: { prefix: /api } }], route: [{ destination: { host: web } }] }");
  CHECK(shares_of_client(text).empty());
  const auto warnings = reported(text, "SP656");
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].label == "these requests fail with a 404: no route of its VirtualService takes the request");
}

TEST_CASE("A client whose requests fail for lack of a cluster refuses no other client", "[istio]") {
  const std::string text = with_routes(
      "{ match: [{ sourceLabels: { app: bad } }], route: [{ destination: { host: nosuch } }] }, { route: [{ "
      "destination: "
      "{ host: web, subset: v1 } }] }",
      "tags: { app: bad }, workload: { service: web, rate: 10rps } }\n  - { name: good, node: n1, workload: { service: "
      "web, rate: 10rps }");
  const Reading reading = read_scenario_text("test.yaml", text);
  REQUIRE(reading.scenario);
  const auto shares = test::answered_shares(*reading.scenario);
  CHECK(shares.count("c") == 0);
  CHECK(shares.at("good") == Shares{{"web-1", 0.5}, {"web-3", 0.5}});
}

TEST_CASE("Requests without a cluster are counted as failed and never tried again", "[istio]") {
  std::string text = with_routes("{ route: [{ destination: { host: nosuch } }] }");
  text.replace(text.find("mode: exact"), 11, "mode: requests");
  const Reading reading = read_scenario_text("test.yaml", text);
  REQUIRE(reading.scenario);
  const run::Results results = run::Simulation(*reading.scenario, {Mode::requests, std::nullopt, {}}).simulate();
  std::uint64_t sent = 0;
  std::uint64_t failed = 0;
  for (const run::Outcomes& row : results.outcomes) {
    sent += row.sent;
    failed += row[scenario::Outcome::no_healthy_upstream];
    CHECK(row.retries == 0);
  }
  CHECK(sent > 0);
  CHECK(failed == sent);
}

}  // namespace spillway::scenario
