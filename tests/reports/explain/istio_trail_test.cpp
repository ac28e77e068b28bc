// Which rule of Istio's documents placed each locality, and where it stands.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "reports/explain/explain.hpp"
#include "sim/scenario/read_scenario.hpp"

using namespace spillway;

namespace {

std::vector<reports::explain::Fact> facts_of(const std::string& file, const std::string& step) {
  const scenario::Reading reading =
      scenario::read_scenario_file(SPILLWAY_SOURCE_DIR "/scenarios/documented/istio/" + file);
  REQUIRE(reading.scenario);
  const config::ClientEntryIndex client{0};
  const auto explanation = reports::explain::explain(
      *reading.scenario, reading.sources,
      {.client = client, .service = reports::explain::asked_services(*reading.scenario, client).front()});
  const auto& steps = explanation.sections.front().steps;
  const auto found = std::find_if(steps.begin(), steps.end(), [&](const auto& one) { return one.name == step; });
  REQUIRE(found != steps.end());
  return found->facts;
}

}  // namespace

TEST_CASE("An explanation names the DestinationRule and the setting that count", "[explain][istio]") {
  const auto facts = facts_of("locality-failover.yaml", "policy");
  REQUIRE(facts.size() == 2);
  CHECK(facts[0].note == "DestinationRule sample/helloworld, of the client's namespace");
  CHECK(facts[0].where.ends_with("locality-failover.yaml:35"));
  CHECK(facts[1].note == "the rule's localityLbSetting: failover");
  CHECK(facts[1].where.ends_with("locality-failover.yaml:43"));
}

TEST_CASE("An explanation says what placed each locality", "[explain][istio]") {
  const auto facts = facts_of("locality-failover.yaml", "priorities");
  REQUIRE(facts.size() == 4);
  CHECK(facts[0].subject == "P0 region1/zone1:");
  CHECK(facts[0].note == "1 endpoint, locality weight 1: the client's locality");
  CHECK(facts[1].note == "1 endpoint, locality weight 1: another zone of the client's region (region1/zone1)");
  CHECK(facts[2].note == "1 endpoint, locality weight 1: failover[0] from region1 to region2");
  CHECK(facts[3].note ==
        "1 endpoint, locality weight 1: a region that no entry prefers: failover[0] from region1 to region2");
}

TEST_CASE("An explanation names the key of distribute, and what no key is for", "[explain][istio]") {
  const auto facts = facts_of("weighted-distribution.yaml", "priorities");
  REQUIRE(facts.size() == 4);
  CHECK(facts[0].note == "1 endpoint, locality weight 70: distribute[0].to \"region1/zone1/*\": 70 %");
  CHECK(facts[2].subject == "P0 region2/zone3:");
  CHECK(facts[2].note.find("left out: no key of distribute[0] is for it") != std::string::npos);
}
