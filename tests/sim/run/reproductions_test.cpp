// Files that were once answered wrongly, each with what a real Envoy 1.40 does with it.
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "sim/run/simulation.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/client.hpp"

namespace run = spillway::run;
namespace scenario = spillway::scenario;

namespace {

scenario::Reading reading_of(const std::vector<std::string>& names, const std::string& cluster = "") {
  std::vector<std::string> paths;
  for (const std::string& name : names) {
    paths.push_back(SPILLWAY_SOURCE_DIR "/tests/sim/run/reproductions/" + name);
  }
  return scenario::read_share_input(paths, {.cluster = cluster});
}

using ShareOf = std::map<std::string, double>;

// Exact shares by endpoint, by client; not determined: -1.
std::map<std::string, ShareOf> answered(const std::vector<std::string>& names) {
  const scenario::Reading reading = reading_of(names);
  for (const auto& problem : reading.diagnostics) {
    INFO(problem.code << " " << problem.message << ": " << problem.label);
    CHECK(problem.severity != Severity::error);
  }
  REQUIRE(reading.scenario);
  const run::Results results = run::Simulation(*reading.scenario, {scenario::Mode::exact, std::nullopt, {}}).simulate();
  std::map<std::string, ShareOf> found;
  for (const run::Share& share : results.shares) {
    found[reading.scenario->clients[share.client.value].name][share.endpoint] += share.exact.value_or(-1.0);
  }
  return found;
}

// Of the only client.
ShareOf shares_of(const std::vector<std::string>& names) {
  const auto all = answered(names);
  REQUIRE(all.size() == 1);
  ShareOf shares;
  for (const auto& [endpoint, share] : all.begin()->second) {
    if (share != 0.0) {
      shares[endpoint] = share;
    }
  }
  return shares;
}

// The one endpoint that gets all requests of a client.
std::string host_of(const std::map<std::string, ShareOf>& shares, const std::string& client) {
  for (const auto& [endpoint, share] : shares.at(client)) {
    if (share == 1.0) {
      return endpoint;
    }
  }
  return "none";
}

bool has_code(const scenario::Reading& reading, const std::string& code) {
  for (const auto& problem : reading.diagnostics) {
    if (problem.code == code) {
      return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("aggregates of clusters that are not there answer 503", "[reproductions]") {
  for (const char* const file : {"aggregate-of-missing-only.json", "segv-aggregate-of-missing.json"}) {
    CHECK(answered({file}).empty());
  }
}

TEST_CASE("the host header is the authority, and one client's requests go to one host", "[reproductions]") {
  CHECK(host_of(answered({"hash-of-host.yaml"}), "a") != "none");
}

TEST_CASE("header names in any case are one header, whose values are hashed together", "[reproductions]") {
  const auto shares = answered({"header-names-differ-in-case.yaml"});
  CHECK(host_of(shares, "a") != "none");
  CHECK(host_of(shares, "a") == host_of(shares, "b"));
  CHECK(host_of(shares, "c") != "none");
  CHECK(host_of(shares, "c") == host_of(shares, "d"));
  CHECK(host_of(shares, "d") == host_of(shares, "e"));
}

TEST_CASE("a hash reads what the rewrite leaves", "[reproductions]") {
  const auto shares = answered({"rewrite-and-hash.yaml"});
  CHECK(host_of(shares, "a") != "none");
  CHECK(host_of(shares, "a") == host_of(shares, "b"));
  CHECK(host_of(shares, "a") == host_of(shares, "d"));
}

TEST_CASE("a session header that is no base64 names no host", "[reproductions]") {
  for (const auto& [endpoint, share] : shares_of({"session-header-ignored.yaml"})) {
    CHECK(share == Approx(1.0 / 3.0));
  }
}

TEST_CASE("localities are told apart by region too, and need no zone", "[reproductions]") {
  const ShareOf halves = {{"127.0.0.3:80", 0.5}, {"127.0.0.4:80", 0.5}};
  CHECK(shares_of({"same-zone-two-regions.json"}) == halves);
  CHECK(shares_of({"region-without-zone.json"}) == ShareOf{{"127.0.0.4:80", 1.0}});
  for (const char* const file : {"internal-error-node-names.json", "internal-error-region-without-zone.json",
                                 "internal-error-same-zone-in-two-regions.json"}) {
    INFO(file);
    double sum = 0.0;
    for (const auto& [endpoint, share] : shares_of({file})) {
      sum += share;
    }
    CHECK(sum == Approx(1.0));
  }
}

TEST_CASE("of hosts with equal hash keys the sum alone is certain", "[reproductions]") {
  CHECK(has_code(reading_of({"ring-equal-keys.json"}), "SP217"));
  for (const auto& [endpoint, share] : shares_of({"ring-equal-keys.json"})) {
    CHECK(share == -1.0);
  }
}

TEST_CASE("locality-aware subsets without locality weighting are refused", "[reproductions]") {
  const scenario::Reading reading = reading_of({"subset-aware-no-selectors.json"});
  CHECK_FALSE(reading.scenario.has_value());
  CHECK(has_code(reading, "SP131"));
}

TEST_CASE("a policy in a TypedStruct goes before those behind it", "[reproductions]") {
  const ShareOf at_random = {{"127.0.0.3:80", 0.5}, {"127.0.0.4:80", 0.5}};
  CHECK(shares_of({"typed-struct-first.json"}) == at_random);
}

TEST_CASE("a weight without a locality does not count", "[reproductions]") {
  CHECK(shares_of({"weight-without-locality.json"}) == ShareOf{{"127.0.0.4:80", 1.0}});
  CHECK(has_code(reading_of({"weight-without-locality.json"}), "SP208"));
}

TEST_CASE("zones that are written as texts beside Kuma's documents are refused", "[reproductions]") {
  const scenario::Reading reading = reading_of({"segv-zones-as-texts-under-kuma.yaml"});
  CHECK_FALSE(reading.scenario.has_value());
  CHECK(has_code(reading, "SP022"));
}

TEST_CASE("a listener's filter that gives requests their subset is named", "[reproductions]") {
  const scenario::Reading reading = reading_of({"bootstrap-with-listener.yaml"});
  REQUIRE(reading.scenario.has_value());
  REQUIRE(reading.diagnostics.size() == 1);
  CHECK(reading.diagnostics.front().code == "SP212");
  CHECK(reading.diagnostics.front().label.find("it sets `canary` of subsets") != std::string::npos);
}

TEST_CASE("an EDS cluster takes its own document, and regions without zones are localities", "[reproductions]") {
  const auto eds = shares_of({"eds-ignored-cluster.yaml", "eds-ignored-eds.yaml"});
  CHECK(eds.size() == 3);
  CHECK_FALSE(eds.contains("10.0.1.1:80"));
  const ShareOf halves = {{"10.244.0.225:3000", 0.5}, {"10.244.0.226:3000", 0.5}};
  CHECK(shares_of({"two-regions-cluster.yaml", "two-regions-eds.yaml"}) == halves);
}
