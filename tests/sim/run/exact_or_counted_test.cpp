// Wherever a row has an exact share, alone or together with others, the counts of a run agree with it: over thousands
// of scenarios drawn at random.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

#include "sim/run/run.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/sim/run/tested_row.hpp"
#include "tests/support/generated_scenarios.hpp"
#include "tests/support/sanitizers.hpp"

using namespace spillway;

namespace {

constexpr std::uint64_t all_scenarios = 3200;
// Of the whole family: how likely a false alarm is, by chance alone. There are at most so many rows a scenario.
constexpr double false_alarms = 1e-6;
constexpr double most_rows_a_scenario = 10.0;

struct CellTally {
  std::uint64_t scenarios = 0;
  std::uint64_t rows = 0;                         // of tables: a client's epoch
  std::uint64_t cells = 0;                        // of endpoints
  std::uint64_t exact = 0;                        // of those
  std::uint64_t joint = 0;                        // with an exact sum only
  std::uint64_t neither = 0;                      // not even that
  std::map<std::string, std::uint64_t> why = {};  // of those that have no exact share
  double worst = 1.0;
};

void count_cell_of(const run::Share& share, CellTally& tally) {
  ++tally.cells;
  if (share.joint == 0) {
    ++tally.exact;
    return;
  }
  ++tally.why[share.exact_basis];
  ++tally.joint;
}

void judge_generated(std::uint64_t number, CellTally& tally) {
  support::Draws draws(number);
  const std::string text = support::generated_scenario(draws);
  const scenario::Reading reading = scenario::read_scenario_text("drawn.yaml", text);
  INFO("scenario " << number << "\n" << text);
  REQUIRE(reading.scenario);
  const run::Results results = run::run(*reading.scenario, {});
  std::map<std::pair<config::ClientEntryIndex, std::uint32_t>, test::TestedRow> rows;
  for (const run::Share& share : results.shares) {
    rows[{share.client, share.epoch}].add(share);
    count_cell_of(share, tally);
  }
  ++tally.scenarios;
  for (const run::Outcomes& outcomes : results.outcomes) {
    ++tally.rows;
    const double chance = rows[{outcomes.client, outcomes.epoch}].chance(outcomes.sent);
    tally.worst = std::min(tally.worst, chance);
    INFO("client " << outcomes.client.value << ", epoch " << outcomes.epoch << ", chance " << chance);
    CHECK(chance > false_alarms / (most_rows_a_scenario * static_cast<double>(all_scenarios)));
  }
}

void judge_generated_part(std::uint64_t first, std::uint64_t end) {
  CellTally tally;
  for (std::uint64_t number = first; number < first + support::cases_of(end - first); ++number) {
    judge_generated(number, tally);
  }
  CHECK(tally.exact > tally.cells / 5);
  CHECK(tally.joint > 0);
  if (std::getenv("SPILLWAY_TALLY") != nullptr) {
    std::cout << tally.scenarios << " scenarios, " << tally.rows << " rows, " << tally.cells
              << " cells: " << tally.exact << " exact, " << tally.joint << " not; least chance " << tally.worst << "\n";
    for (const auto& [reason, cells] : tally.why) {
      std::cout << "  " << cells << " " << reason << "\n";
    }
  }
}

}  // namespace

TEST_CASE("what has an exact share is counted so: generated scenarios 0 to 799") {
  judge_generated_part(0, 800);
}

TEST_CASE("what has an exact share is counted so: generated scenarios 800 to 1599", "[unsanitized]") {
  judge_generated_part(800, 1600);
}

TEST_CASE("what has an exact share is counted so: generated scenarios 1600 to 2399", "[unsanitized]") {
  judge_generated_part(1600, 2400);
}

TEST_CASE("what has an exact share is counted so: generated scenarios 2400 to 3199", "[unsanitized]") {
  judge_generated_part(2400, all_scenarios);
}
