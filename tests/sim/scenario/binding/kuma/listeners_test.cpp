// Requests at the listeners that Kuma builds: files that were once answered wrongly, each with what Kuma's
// own code does with it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "models/kuma/proxy/outbound_listener.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/missing_cluster.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service.hpp"

namespace run = spillway::run;
namespace scenario = spillway::scenario;
using Catch::Detail::Approx;

namespace {

scenario::Reading reading_of_file(const std::string& name) {
  return scenario::read_scenario_file(SPILLWAY_SOURCE_DIR "/tests/sim/scenario/binding/kuma/reproductions/" + name);
}

std::vector<std::string> codes_in(const scenario::Reading& reading, spillway::Severity severity) {
  std::vector<std::string> codes;
  for (const auto& problem : reading.diagnostics) {
    if (problem.severity == severity) {
      codes.push_back(problem.code);
    }
  }
  return codes;
}

bool contains_code(const std::vector<std::string>& codes, const std::string& code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

// Exact shares by endpoint.
std::map<std::string, double> shares_of_file(const std::string& name) {
  const scenario::Reading reading = reading_of_file(name);
  REQUIRE(reading.scenario);
  const run::Results results = run::run(*reading.scenario, {scenario::Mode::exact, std::nullopt, {}});
  std::map<std::string, double> shares;
  for (const run::Share& share : results.shares) {
    if (!share.endpoint.empty()) {
      shares[share.endpoint] += share.exact.value_or(-1.0);
    }
  }
  return shares;
}

}  // namespace

TEST_CASE("hash policies of a MeshHTTPRoute hash only requests of its routes", "[kuma]") {
  const auto shares = shares_of_file("route-hash.json");
  CHECK(shares.at("be1") == Approx(0.526830659).margin(1e-9));
  CHECK(shares.at("be2") == Approx(0.473169341).margin(1e-9));
}

TEST_CASE("connections of a TCP service are not hashed by headers", "[kuma]") {
  const auto shares = shares_of_file("tcp-hash.json");
  CHECK(shares.at("be1") == Approx(0.526830659).margin(1e-9));
  CHECK(shares.at("be2") == Approx(0.473169341).margin(1e-9));
}

TEST_CASE("head answers the part of backendRefs that do not resolve with a 500", "[kuma]") {
  const auto shares = shares_of_file("unresolved-500.json");
  CHECK(shares.at("be1") == Approx(0.25));
  CHECK(shares.at("be2") == Approx(0.25));
  const scenario::Reading reading = reading_of_file("unresolved-500.json");
  const auto& route = reading.scenario->routes[reading.scenario->clients[0].workload.requests[0].route];
  const auto& answered = reading.scenario->services[route.clusters.back().value].missing;
  REQUIRE(answered != nullptr);
  CHECK(answered->direct_response == 500);
}

TEST_CASE("the listener of a MeshHTTPRoute keeps its matches", "[kuma]") {
  const scenario::Reading reading = reading_of_file("export-loses-matches.yaml");
  REQUIRE(reading.scenario);
  const auto& outbounds = reading.scenario->clients[0].outbounds;
  REQUIRE(outbounds.size() == 1);
  const auto& routes = outbounds[0].listener->routes;
  REQUIRE(routes.size() == 3);
  CHECK(routes[0].match.path == "/api");
  CHECK(routes[1].match.path == "/api/");
  CHECK(routes[2].match.path == "/");
  CHECK(routes[0].clusters[0].name != routes[2].clusters[0].name);
}

TEST_CASE("an inbound MeshCircuitBreaker is named", "[kuma]") {
  const scenario::Reading reading = reading_of_file("inbound-breaker.yaml");
  REQUIRE(reading.scenario);
  CHECK(contains_code(codes_in(reading, spillway::Severity::warning), "SP645"));
  const auto& assumptions = reading.scenario->assumptions;
  CHECK(std::any_of(assumptions.begin(), assumptions.end(),
                    [](const std::string& text) { return text.find("MeshCircuitBreaker cb") == 0; }));
}

TEST_CASE("Envoy refuses the hash policy that Kuma 2.14 makes of SourceIP", "[kuma]") {
  CHECK(contains_code(codes_in(reading_of_file("sourceip-214.yaml"), spillway::Severity::error), "SP139"));
}

TEST_CASE("settings that Kuma's configuration replaces are refused beside its documents", "[kuma]") {
  const scenario::Reading reading = reading_of_file("weights-beside.yaml");
  const auto errors = codes_in(reading, spillway::Severity::error);
  CHECK(std::count(errors.begin(), errors.end(), "SP640") == 3);
  CHECK(contains_code(codes_in(reading, spillway::Severity::warning), "SP641"));
}
