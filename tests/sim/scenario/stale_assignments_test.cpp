// endpoint_stale_after: an EDS cluster without a new load assignment for so long has no endpoints. Moments as a running
// Envoy 1.40 with EDS from a file has them (docs/behaviour/envoy-before-pick.md 1.2).
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/state_at.hpp"

using namespace std::chrono_literals;
namespace config = spillway::config;
namespace scenario = spillway::scenario;

namespace {

constexpr const char* three_endpoints =
    "duration: 10s\nzones: [{ name: z }, { name: y }]\n"
    "services: [{ name: c, endpoints: [{ count: 2, zone: z }, { id: late, zone: y }] }]\n"
    "clients: [{ name: a, zone: z, workload: { service: c, rate: 10rps } }]\n";

std::string stale(const std::string& after) {
  return "load_assignments: [{ cluster_name: c, policy: { endpoint_stale_after: " + after + " } }]\n";
}

scenario::Scenario read(const std::string& rest) {
  const auto reading = scenario::read_scenario_text("stale.yaml", three_endpoints + rest);
  REQUIRE(reading.scenario);
  return *reading.scenario;
}

// How many endpoints the proxies of zone `zone` have at each of these moments.
std::vector<std::size_t> members_at(const scenario::Scenario& of, std::vector<std::chrono::nanoseconds> moments,
                                    std::uint32_t zone = 0) {
  std::vector<std::size_t> counts;
  for (const auto moment : moments) {
    const auto reported = scenario::eds_state_at(of, config::ZoneIndex{zone}, moment);
    std::size_t count = 0;
    for (const std::uint8_t absent : reported.of(config::ServiceIndex{0}).absent) {
      count += absent == 0 ? 1 : 0;
    }
    counts.push_back(count);
  }
  return counts;
}

using Counts = std::vector<std::size_t>;

}  // namespace

TEST_CASE("a cluster without a new load assignment loses its endpoints when the first one goes stale") {
  CHECK(members_at(read(stale("4s")), {0s, 3999ms, 4s, 9s}) == Counts{3, 3, 0, 0});
  CHECK(members_at(read(stale("10s")), {9s}) == Counts{3});
}

TEST_CASE("a new load assignment brings the endpoints back and counts from its own time") {
  const std::string push =
      "timeline: [{ at: 3s, endpoints: [c-1], healthy: 0 }, { at: 9s, endpoints: [c-2], remove: 1 }]\n";
  CHECK(members_at(read(stale("4s") + push), {3s, 6999ms, 7s, 8999ms, 9s}) == Counts{3, 3, 0, 0, 2});
}

TEST_CASE("a load assignment that comes in the nick of time keeps the endpoints") {
  const std::string push = "timeline: [{ at: 4s, endpoints: [c-1], healthy: 0 }]\n";
  CHECK(members_at(read(stale("4s") + push), {4s, 7999ms, 8s}) == Counts{3, 3, 0});
}

TEST_CASE("what endpoints really do is no new load assignment") {
  const std::string outage = "timeline: [{ at: 3s, endpoints: [c-1], outage: true }]\n";
  CHECK(members_at(read(stale("4s") + outage), {3s, 4s}) == Counts{3, 0});
}

TEST_CASE("a load assignment that one zone gets keeps the endpoints there") {
  const scenario::Scenario of =
      read(stale("4s") + "timeline: [{ at: 3s, endpoints: [c-1], healthy: 0, audience: [y] }]\n");
  CHECK(members_at(of, {5s, 7s}, 0) == Counts{0, 0});
  CHECK(members_at(of, {5s, 7s}, 1) == Counts{3, 0});
}

TEST_CASE("a cluster that is not of type EDS keeps its endpoints, with a warning") {
  const auto reading = scenario::read_scenario_text(
      "static.yaml", std::string(three_endpoints) + "clusters: [{ name: c, type: STATIC }]\n" + stale("4s"));
  REQUIRE(reading.scenario);
  CHECK(members_at(*reading.scenario, {9s}) == Counts{3});
  REQUIRE(reading.diagnostics.size() == 1);
  CHECK(reading.diagnostics[0].code == "SP216");
}

TEST_CASE("Envoy refuses an endpoint_stale_after of 0s") {
  const auto reading = scenario::read_scenario_text("zero.yaml", three_endpoints + stale("0s"));
  CHECK_FALSE(reading.scenario);
}
