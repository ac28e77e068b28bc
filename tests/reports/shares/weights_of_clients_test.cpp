// Sums over clients: exact shares are weighted by the clients' own rates, which no seed changes.
#include <catch2/catch.hpp>
#include <map>
#include <optional>
#include <string>

#include "reports/shares/group_by.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/read_scenario.hpp"

using namespace spillway;
using reports::Dimension;

namespace {

using ExactByZone = std::map<std::string, std::optional<double>>;

ExactByZone exact_by_zone(const std::string& text, scenario::Mode mode, std::uint64_t seed = 1,
                          std::uint32_t epoch = 0) {
  const scenario::Reading reading = scenario::read_scenario_text("test.yaml", text);
  INFO(text);
  REQUIRE(reading.scenario);
  const run::Results results = run::run(*reading.scenario, {mode, seed});
  ExactByZone exact;
  for (const run::Share& share :
       reports::group_by(*reading.scenario, results, reports::Dimensions{Dimension::zone}).results.shares) {
    if (share.epoch == epoch) {
      exact[share.zone] = share.exact;
    }
  }
  return exact;
}

// Each client keeps to the endpoints of its own zone.
std::string two_local_clients(const std::string& one, const std::string& other, const std::string& more = "") {
  return "duration: 10s\nzones: [{ name: a }, { name: b }]\n"
         "services: [{ name: s, endpoints: [{ count: 2, zone: a, service_time: 5ms }, { count: 2, zone: b, "
         "service_time: 5ms }] }]\n"
         "policies: [{ type: MeshLoadBalancingStrategy, name: lb, mesh: default, spec: { to: [{ targetRef: { kind: "
         "MeshService, name: s }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: Any } }] } } } "
         "}] } }]\nclients:\n  - { name: ca, zone: a, workload: { service: s, " +
         one + " } }\n  - { name: cb, zone: b, workload: { service: s, " + other + " } }\n" + more;
}

}  // namespace

TEST_CASE("the exact share of several clients together is by their rates, with every seed and in every mode") {
  const std::string text = two_local_clients("rate: 30rps", "rate: 10rps");
  const ExactByZone wanted{{"a", 0.75}, {"b", 0.25}};
  CHECK(exact_by_zone(text, scenario::Mode::exact) == wanted);
  for (const std::uint64_t seed : std::initializer_list<std::uint64_t>{1, 2, 3}) {
    CHECK(exact_by_zone(text, scenario::Mode::requests, seed) == wanted);
  }
}

TEST_CASE("rates that change weigh by what they are in the epoch") {
  const std::string text =
      two_local_clients("phases: \"30rps 4s, 10rps\"", "rate: 10rps", "timeline: [{ at: 4s, zone: b, healthy: 1 }]\n");
  for (const scenario::Mode mode : {scenario::Mode::exact, scenario::Mode::requests}) {
    CHECK(exact_by_zone(text, mode, 1, 0) == ExactByZone{{"a", 0.75}, {"b", 0.25}});
    CHECK(exact_by_zone(text, mode, 1, 1) == ExactByZone{{"a", 0.5}, {"b", 0.5}});
  }
}

TEST_CASE("how much closed-loop clients send is known of a run only, so that their sum with others is not exact") {
  const std::string text = two_local_clients("users: 10, think_time: 100ms", "rate: 10rps");
  for (const scenario::Mode mode : {scenario::Mode::exact, scenario::Mode::requests}) {
    CHECK(exact_by_zone(text, mode) == ExactByZone{{"a", std::nullopt}, {"b", std::nullopt}});
  }
  // Whatever each of two sends, half of it goes to each zone.
  const std::string alike =
      "duration: 10s\nzones: [{ name: a }, { name: b }]\nservices: [{ name: s, endpoints: [{ count: 1, zone: a }, { "
      "count: 1, zone: b }] }]\nclients:\n  - { name: x, zone: a, workload: { service: s, users: 3, think_time: 100ms "
      "} }\n  - { name: y, zone: a, workload: { service: s, rate: 10rps } }\n";
  for (const scenario::Mode mode : {scenario::Mode::exact, scenario::Mode::requests}) {
    const ExactByZone exact = exact_by_zone(alike, mode);
    REQUIRE(exact.at("a"));
    CHECK(*exact.at("a") == Approx(0.5));
  }
}
