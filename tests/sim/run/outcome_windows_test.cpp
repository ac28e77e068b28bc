// Requests fail from 5 s to 7 s, 50 a second: how many do in a window follows by hand, wherever rows begin.
#include "sim/run/outcome_windows.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "sim/run/replications.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace run = spillway::run;
namespace scenario = spillway::scenario;

namespace {

scenario::Scenario failing_for_a_while() {
  const auto reading = scenario::read_scenario_text(
      "windows.yaml",
      "duration: 20s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 2, zone: a }] }]\n"
      "clients: [{ name: c, zone: a, workload: { service: s, rate: 50rps, arrivals: periodic } }]\n"
      "timeline:\n  - { at: 5s, zone: a, fails: 100% }\n  - { at: 7s, zone: a, fails: 0% }\n"
      "expect:\n  - always: { upstream_error: 0, from: 7s, to: 20s }\n  - always: { upstream_error: 0, to: 5s }\n"
      "  - always: { upstream_error: 0, from: 6s, to: 6500ms }\n  - always: { upstream_error: 0 }\n");
  REQUIRE(reading.scenario);
  return *reading.scenario;
}

}  // namespace

TEST_CASE("outcomes are counted within a window, not in the rows that it touches") {
  const run::Results results = run::run(failing_for_a_while(), {});
  REQUIRE(results.epochs.size() == 1);
  REQUIRE(results.outcomes_in_windows.size() == 4);
  CHECK(results.outcomes_in_windows[0][scenario::Outcome::upstream_error] == 0);
  CHECK(results.outcomes_in_windows[0].ok() == 650);
  CHECK(results.outcomes_in_windows[1][scenario::Outcome::upstream_error] == 0);
  CHECK(results.outcomes_in_windows[2][scenario::Outcome::upstream_error] == 25);
  CHECK(results.outcomes_in_windows[3][scenario::Outcome::upstream_error] ==
        results.outcomes[0][scenario::Outcome::upstream_error]);
  CHECK(results.outcomes_in_windows[3][scenario::Outcome::upstream_error] == 100);
}

TEST_CASE("exact mode counts no outcomes in windows") {
  run::Options options;
  options.mode = scenario::Mode::exact;
  CHECK(run::run(failing_for_a_while(), options).outcomes_in_windows.empty());
}
