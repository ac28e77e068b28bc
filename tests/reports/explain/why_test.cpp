// What is said to turn a share is held against the same change written into the file and played.
#include "reports/explain/why.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "reports/explain/explain.hpp"
#include "reports/explain/explanation.hpp"
#include "sim/run/exact/exact_sum.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/support/program.hpp"

using namespace spillway;
using reports::explain::Why;

namespace {

std::string failover_text_with(const std::string& part, const std::string& other) {
  std::string text = support::contents(SPILLWAY_SOURCE_DIR "/scenarios/examples/kuma/failover-at-seventy-percent.yaml");
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  // What the author expects is not asked here.
  text.replace(at, part.size(), other);
  return text.substr(0, text.find("\nexpect:"));
}

const std::string rule_of_zone_2 = "                  - to: { type: Only, zones: [zone-2] }\n";
constexpr std::size_t epoch_of_25_seconds = 2;

// Of the epoch from 20 s to 30 s.
double zone_share(const std::string& text, const std::string& zone) {
  const auto reading = scenario::read_scenario_text("failover.yaml", text);
  REQUIRE(reading.scenario);
  const auto results = run::run(*reading.scenario, {scenario::Mode::exact, std::nullopt});
  run::ExactSum sum;
  for (const run::Share& share : results.shares) {
    if (share.epoch == epoch_of_25_seconds && share.zone == zone) {
      sum.add(share);
    }
  }
  return sum.value().value();
}

Why why_of(const std::string& target, const std::string& threshold = "70") {
  const auto reading =
      scenario::read_scenario_text("failover.yaml", failover_text_with("percentage: 70", "percentage: " + threshold));
  REQUIRE(reading.scenario);
  const auto service = reports::explain::asked_services(*reading.scenario, {0}).front();
  const auto explanation =
      reports::explain::explain(*reading.scenario, reading.sources,
                                {.client = {0}, .service = service, .at = std::chrono::seconds{25}, .why = target});
  REQUIRE(explanation.why);
  return *explanation.why;
}

const Why::Turn& turn_of(const Why& why, const std::string& input) {
  for (const Why::Turn& turn : why.turns) {
    if ((turn.input + ",").starts_with(input)) {
      return turn;
    }
  }
  FAIL("no turn of " << input);
  return why.turns.front();
}

double with_healthy(int percent) {
  return zone_share(failover_text_with("60% 10s", std::to_string(percent) + "% 10s"), "zone-2");
}

double with_threshold(int percentage) {
  return zone_share(failover_text_with("percentage: 70", "percentage: " + std::to_string(percentage)), "zone-2");
}

}  // namespace

TEST_CASE("the healthy hosts that turn a zone's traffic are those of scenarios written so") {
  const Why why = why_of("zone-2");
  CHECK(why.kind == "zone");
  CHECK(why.share == with_healthy(60));
  const Why::Turn& turn = turn_of(why, "healthy hosts of P0");
  CHECK(turn.now == "6 of 10");
  CHECK(turn.turns_at == "10 of 10");
  CHECK(turn.just_before == "9 of 10");
  CHECK(turn.share_there == with_healthy(100));
  CHECK(turn.share_before == with_healthy(90));
  for (int percent = 0; percent <= 100; percent += 10) {
    CHECK((with_healthy(percent) > 0.0) == (percent < 100));
  }
}

// docs/behaviour/kuma.md 9: 34 to 50 act as a factor of 200.
TEST_CASE("the failoverThreshold that turns a zone's traffic is that of scenarios written so") {
  const Why why = why_of("zone-2");
  const Why::Turn& turn = turn_of(why, "failoverThreshold");
  CHECK(turn.turns_at == "50");
  CHECK(turn.just_before == "51");
  CHECK(turn.share_there == with_threshold(50));
  CHECK(turn.share_before == with_threshold(51));
  CHECK(turn.where == "failover.yaml:33");
  for (int percentage = 5; percentage <= 100; percentage += 5) {
    CHECK((with_threshold(percentage) > 0.0) == (percentage > 50));
  }
}

TEST_CASE("a failover rule taken away does what its absence in the file does") {
  const Why why = why_of("zone-2");
  const Why::Turn& turn = turn_of(why, "crossZone.failover[0]");
  CHECK(turn.turns_at == "taken away");
  CHECK(turn.where == "failover.yaml:32");
  const std::string without =
      failover_text_with("                failover:\n" + rule_of_zone_2, "                failover: []\n");
  CHECK(turn.share_there == zone_share(without, "zone-2"));
}

TEST_CASE("a zone that no rule names gets what a rule more in the file gives it") {
  const Why why = why_of("zone-3");
  CHECK(why.share == 0.0);
  const Why::Turn& turn = turn_of(why, "crossZone.failover[1]");
  CHECK(turn.turns_at == "added");
  const std::string another = rule_of_zone_2 + "                  - to: { type: Only, zones: [zone-3] }\n";
  CHECK(turn.share_there == zone_share(failover_text_with(rule_of_zone_2, another), "zone-3"));
  CHECK(turn.note == "the zone would stand at P2, and get 100 % once no endpoint before it is healthy");
}

TEST_CASE("the onset of spill is the boundary that the documents' tables have") {
  const auto onset = [](const std::string& file) {
    const auto reading = scenario::read_scenario_file(SPILLWAY_SOURCE_DIR "/scenarios/" + file);
    REQUIRE(reading.scenario);
    const auto service = reports::explain::asked_services(*reading.scenario, {0}).front();
    return reports::explain::spill_onset(*reading.scenario, {.client = {0}, .service = service});
  };
  // envoy-before-pick.md 15.1: 72 % gives 100/0 and 71 % gives 99/1.
  CHECK(onset("documented/priority-two-levels-p1-full.yaml") ==
        "spill to P1 (zone-1) begins at 71 of 100 healthy hosts of P0; at 72 nothing leaves");
  CHECK(onset("examples/kuma/failover-at-seventy-percent.yaml") ==
        "spill to P1 (zone-2) begins at the first unhealthy endpoint of P0 (below 10 of 10 healthy)");
  CHECK(onset("documented/zone-aware.yaml") == std::nullopt);
}

// Three levels, 100 hosts each, all healthy: a factor of 140 keeps P2 out until P0 and P1 add up to less than 100.
TEST_CASE("a third priority begins to get something when those before it together are less than full") {
  const auto reading =
      scenario::read_scenario_file(SPILLWAY_SOURCE_DIR "/scenarios/documented/priority-three-levels.yaml");
  REQUIRE(reading.scenario);
  const auto service = reports::explain::asked_services(*reading.scenario, {0}).front();
  const auto explanation =
      reports::explain::explain(*reading.scenario, reading.sources, {.client = {0}, .service = service, .why = "P2"});
  REQUIRE(explanation.why);
  CHECK(turn_of(*explanation.why, "healthy hosts of P0,").turns_at.empty());
  const Why::Turn& turn = turn_of(*explanation.why, "healthy hosts of P0 to P1");
  CHECK(turn.turns_at == "71 of 200");
  CHECK(turn.just_before == "72 of 200");
  CHECK(turn.share_there.value_or(0.0) == Approx(0.01));
}

// An IntOrString: in quotes it is the same number.
TEST_CASE("a failoverThreshold in quotes is the number that it says") {
  const Why whole = why_of("zone-2", "'70'");
  const Why::Turn& turn = turn_of(whole, "failoverThreshold");
  CHECK(turn.now == "70");
  CHECK(turn.turns_at == "50");
  CHECK(turn.just_before == "51");
  const Why part = why_of("zone-2", "'62.5'");
  CHECK(turn_of(part, "failoverThreshold").now == "62.5");
}
