#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program.hpp"

using spillway::support::Finished;
using spillway::support::run_program;
using spillway::support::TemporaryFolder;

namespace {

// Istio's documentation: outlier detection turns on priorities by locality, which keep requests in the zone.
constexpr const char* ejecting_rule = R"(apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: { name: cart, namespace: shop }
spec:
  host: cart
  trafficPolicy:
    outlierDetection: { consecutive5xxErrors: 5 }
)";

}  // namespace

TEST_CASE("A rule alone is shared, and everything that was assumed is named") {
  TemporaryFolder folder;
  const std::string rule = folder.write("rule.yaml", ejecting_rule);
  const Finished table = run_program({"share", rule, "--quiet"});
  CAPTURE(table.output, table.error);
  CHECK(table.code == 0);
  CHECK(table.output.find("-> cart ") != std::string::npos);
  CHECK(table.output.find("assumed: three zones") != std::string::npos);
  const Finished json = run_program({"share", rule, "--quiet", "-o", "json"});
  const auto document = nlohmann::json::parse(json.output);
  CHECK_FALSE(document.at("assumed").empty());
  for (const auto& share : document.at("shares")) {
    const std::string zone = share.at("zone");
    CHECK(share.at("exact") == (share.at("client") == "client-" + zone ? 0.5 : 0.0));
  }
}

TEST_CASE("What a rule does is shown against the world without it") {
  TemporaryFolder folder;
  const Finished tried = run_program({"try", folder.write("rule.yaml", ejecting_rule), "--quiet", "-o", "json"});
  CAPTURE(tried.output, tried.error);
  REQUIRE(tried.code == 0);
  const auto document = nlohmann::json::parse(tried.output);
  for (const auto& row : document.at("rows")) {
    if (row.at("client") == "client-zone-1" && row.at("situation") == "all pods ready") {
      CHECK(row.at("shares").value("zone-1", 0.0) == Approx(row.at("rule") == true ? 1.0 : 1.0 / 3.0));
    }
  }
}

TEST_CASE("A written scenario runs as it is and gives the shares of the documents") {
  TemporaryFolder folder;
  const std::string rule = folder.write("rule.yaml", ejecting_rule);
  const std::string scenario = folder.path("scenario.yaml");
  REQUIRE(run_program({"init", rule, "-o", scenario}).code == 0);
  const auto before = nlohmann::json::parse(run_program({"share", rule, "--quiet", "-o", "json"}).output);
  const auto after = nlohmann::json::parse(run_program({"share", scenario, "--quiet", "-o", "json"}).output);
  REQUIRE(before.at("shares").size() == after.at("shares").size());
  for (std::size_t row = 0; row < before.at("shares").size(); ++row) {
    CHECK(before["shares"][row]["exact"] == after["shares"][row]["exact"]);
  }
}

TEST_CASE("Nobody and nothing of a name is refused with the names that there are") {
  TemporaryFolder folder;
  const std::string rule = folder.write("rule.yaml", ejecting_rule);
  const Finished nobody = run_program({"share", rule, "--from", "zone-9"});
  CHECK(nobody.code == 2);
  CHECK(nobody.error.find("zone-1") != std::string::npos);
  const Finished nothing = run_program({"share", rule, "--to", "nothing"});
  CHECK(nothing.code == 2);
  CHECK(nothing.error.find("the services are `cart`") != std::string::npos);
}

TEST_CASE("A policy of Kuma alone is linted: a threshold of 70 acts as 100") {
  TemporaryFolder folder;
  const std::string policy = folder.write("policy.yaml", R"(type: MeshLoadBalancingStrategy
name: a
mesh: default
spec:
  to:
    - targetRef: { kind: MeshService, name: backend }
      default:
        localityAwareness:
          crossZone: { failover: [{ to: { type: Any } }], failoverThreshold: { percentage: 70 } }
)");
  const Finished checked = run_program({"validate", policy});
  CHECK(checked.code == 0);
  CHECK(checked.error.find("SP611") != std::string::npos);
  CHECK(checked.error.find("policy.yaml:9") != std::string::npos);
}
