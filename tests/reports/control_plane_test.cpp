// Snapshots of a control plane's run, one golden file a format (tests/support/golden.hpp says how they are renewed),
// and the arithmetic of errors.
#include "sim/scenario/control_plane.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "reports/control_plane/control_plane_report.hpp"
#include "reports/control_plane/reading_verdicts.hpp"
#include "reports/plot/plots.hpp"
#include "sim/control_plane/simulate.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/support/golden.hpp"

using namespace spillway;
using namespace std::chrono_literals;
using reports::Format;
using support::golden;

namespace {

// Two settings with readings and a ratio, small enough to look at.
scenario::Scenario small_plane() {
  const scenario::Reading reading = scenario::read_scenario_text("plane.yaml", R"(
name: small plane
duration: 30s
control_plane:
  cores: 2
  services: 20
  instances: 2
  reachable_services: 2
  zones: 2
  join: { from: 0s, to: 10s }
  cost: { mesh_context: 1ms, generation: 50ms, service: 1ms, assignment: 2ms, lookup: 1ms, proxy_certificate: 100ms }
  cla_cache: shared_object
  policies: [{ services: 50%, default: { localityAwareness: { localZone: {} } } }]
  readings:
    precision: 50ms
    rows: [{ at: 5s, p50: 0.2s, p90: 0.4s, p99: 0.5s }, { at: 30s, p99: 1s }]
  variations:
    - { name: without a cache, cla_cache: none, ratios: [{ to: as written, at: 30s, to_at: 30s, p50: 1.5, p99: 2 }] }
    - { name: slower, speed: 0.5 }
)");
  REQUIRE(reading.scenario.has_value());
  return *reading.scenario;
}

control_plane::Results simulate_small(const scenario::Scenario& scenario) {
  return control_plane::simulate(*scenario.control_plane, scenario.duration, {.seed = 1, .interval = 3s});
}

void check_plane(const std::string& name, Format format) {
  const scenario::Scenario scenario = small_plane();
  const std::string text = reports::format_control_plane(scenario, simulate_small(scenario), format, {});
  CHECK(golden("reports/golden/" + name, text) == text);
}

}  // namespace

TEST_CASE("golden: the table of a control plane") {
  check_plane("control-plane.txt", Format::table);
}

TEST_CASE("golden: a control plane in Markdown") {
  check_plane("control-plane.md", Format::markdown);
}

TEST_CASE("golden: a control plane as CSV") {
  check_plane("control-plane.csv", Format::csv);
}

TEST_CASE("golden: a control plane as JSON") {
  check_plane("control-plane.json", Format::json);
}

TEST_CASE("golden: the picture of a control plane, as gnuplot reads it") {
  const scenario::Scenario scenario = small_plane();
  const std::string text =
      reports::plot::control_plane_plot(scenario, simulate_small(scenario), reports::plot::Image::svg);
  CHECK(golden("reports/golden/control-plane.gp", text) == text);
}

TEST_CASE("A control plane is played to the same bytes again") {
  const scenario::Scenario scenario = small_plane();
  CHECK(reports::control_plane_json(scenario, simulate_small(scenario)) ==
        reports::control_plane_json(scenario, simulate_small(scenario)));
}

TEST_CASE("Errors are those of the readings that are written, in seconds") {
  scenario::ControlPlaneSetting setting;
  setting.precision = 0.05;
  setting.readings = {{5s, {0.2, 0.4, std::nullopt}, {}}, {9s, {std::nullopt, 1.0, 2.0}, {}}};
  control_plane::SettingResults results;
  results.readings = {{5s, {0.25, 0.3, 7.0}, 10}, {9s, {0.1, 1.0, 3.5}, 20}};
  const reports::ReadingErrors errors = reports::errors_of(setting, results);
  CHECK(errors.readings == 4);
  CHECK(errors.mean == Approx((0.05 + 0.1 + 0.0 + 1.5) / 4));
  CHECK(errors.largest == Approx(1.5));
  CHECK(errors.largest_at == 9s);
  CHECK(errors.within_precision == 2);
}

namespace {

// Four readings, each right to 0.1 s: two that ours meets, two that it is known to miss.
struct Judged {
  scenario::ControlPlane plane;
  control_plane::Results results;

  Judged() {
    scenario::ControlPlaneSetting& setting = plane.settings.emplace_back();
    setting.name = "judged";
    setting.precision = 0.1;
    setting.readings = {{5s, {0.2, 0.4, 2.0}, {}}, {9s, {std::nullopt, 1.0, std::nullopt}, {}}};
    setting.differences = {
        {.reading = 0, .documented = {{}, {}, 2.0}, .ours = {{}, {}, 3.0}, .reason = "why", .where = {}},
        {.reading = 1, .documented = {{}, 1.0, {}}, .ours = {{}, 0.7, {}}, .reason = "why", .where = {}}};
    results.settings.emplace_back().readings = {{5s, {0.23, 0.36, 3.02}, 10}, {9s, {0.1, 0.71, 3.5}, 20}};
  }
  [[nodiscard]] std::size_t failures() const {
    std::size_t count = 0;
    for (const reports::Verdict& verdict : reports::judge_readings(plane, results)) {
      count += verdict.failures.size();
    }
    return count;
  }
};

}  // namespace

TEST_CASE("Readings pass where ours meets them, and where it is known to miss them as it does") {
  CHECK(Judged().failures() == 0);
  CHECK(reports::judge_readings(Judged().plane, Judged().results).size() == 2);
}

TEST_CASE("Any reading, either figure of a known difference, and ours: changed by more than the error, they fail") {
  const auto check = [](auto figure) {
    for (const double change : {-0.11, 0.11, -0.3, 0.3, 1.0}) {
      Judged judged;
      std::optional<double>& value = figure(judged);
      value = *value + change;
      INFO(change);
      CHECK(judged.failures() == 1);
    }
  };
  using scenario::LatencyQuantiles;
  const auto setting = [](Judged& judged) -> scenario::ControlPlaneSetting& { return judged.plane.settings.front(); };
  check([&](Judged& judged) -> auto& { return setting(judged).readings[0].latency.p50; });
  check([&](Judged& judged) -> auto& { return setting(judged).readings[0].latency.p90; });
  check([&](Judged& judged) -> auto& { return setting(judged).readings[0].latency.p99; });
  check([&](Judged& judged) -> auto& { return setting(judged).readings[1].latency.p90; });
  check([&](Judged& judged) -> auto& { return setting(judged).differences[0].documented.p99; });
  check([&](Judged& judged) -> auto& { return setting(judged).differences[0].ours.p99; });
  check([&](Judged& judged) -> auto& { return setting(judged).differences[1].documented.p90; });
  check([&](Judged& judged) -> auto& { return setting(judged).differences[1].ours.p90; });
  check([](Judged& judged) -> auto& { return judged.results.settings[0].readings[0].latency.p50; });
  check([](Judged& judged) -> auto& { return judged.results.settings[0].readings[0].latency.p99; });
}

TEST_CASE("A known difference that is none any more fails, and so does a moment without an observation") {
  Judged judged;
  judged.results.settings[0].readings[1].latency.p90 = 1.02;
  judged.plane.settings[0].differences[1].ours.p90 = 1.02;
  const reports::Verdicts verdicts = reports::judge_readings(judged.plane, judged.results);
  REQUIRE(verdicts[1].failures.size() == 1);
  CHECK(verdicts[1].failures[0].message ==
        "readings of \"judged\" at 9 s: p90: ours is 1.02 s and the document has 1 s: no difference any more");
  judged.results.settings[0].readings[0].latency = {};
  CHECK(judged.failures() == 4);
}

namespace {

// A second setting, half as fast at both moments in the document, and a ratio that ours is known to miss.
struct JudgedRatio : Judged {
  JudgedRatio() {
    scenario::ControlPlaneSetting slow;
    slow.name = "slow";
    slow.precision = 0.1;
    slow.readings = {{5s, {{}, {}, 4.0}, {}}};
    slow.ratios = {{.other = 0,
                    .at = 5s,
                    .other_at = 5s,
                    .times = {{}, {}, 2.0},
                    .ours = {{}, {}, 1.4},
                    .reason = "why",
                    .where = {}}};
    plane.settings.push_back(slow);
    control_plane::SettingResults& ours = results.settings.emplace_back();
    ours.readings = {{5s, {{}, {}, 4.03}, 10}};
    ours.ratios = {{{}, {}, 1.38}};
  }
};

}  // namespace

TEST_CASE("A ratio that the document states is that of its readings, and ours is as known") {
  CHECK(JudgedRatio().failures() == 0);
  CHECK(reports::judge_readings(JudgedRatio().plane, JudgedRatio().results).size() == 4);
  const auto failures = [](auto change) {
    JudgedRatio judged;
    change(judged.plane.settings[1].ratios[0], judged.results.settings[1].ratios[0]);
    return judged.failures();
  };
  using scenario::LatencyQuantiles;
  using scenario::LatencyRatio;
  // The readings give 4 / 2, right to 0.05 x (1/4 + 1/2) x 2 beside half a tenth.
  CHECK(failures([](LatencyRatio& ratio, LatencyQuantiles&) { ratio.times.p99 = 2.2; }) == 1);
  CHECK(failures([](LatencyRatio& ratio, LatencyQuantiles&) { ratio.ours.p99 = 1.5; }) == 1);
  CHECK(failures([](LatencyRatio&, LatencyQuantiles& ours) { ours.p99 = 1.5; }) == 1);
  CHECK(failures([](LatencyRatio& ratio, LatencyQuantiles&) { ratio.ours.p99.reset(); }) == 1);
  CHECK(failures([](LatencyRatio& ratio, LatencyQuantiles& ours) { ratio.ours.p99 = ours.p99 = 2.0; }) == 1);
}

TEST_CASE("With other seeds the mean may be off by what one draw may be, and no more") {
  // Six figures in two settings: 0.001 / 6 of Student's distribution with 19 degrees of freedom lies outside +-4.6705.
  const auto failures = [](double mean) {
    Judged judged;
    control_plane::Draws first{.seeds = 20, .mean = {0.2, 0.4, mean}, .deviation = {0.1, 0.1, 0.1}};
    control_plane::Draws second{.seeds = 20, .mean = {0.1, 0.7, 3.5}, .deviation = {0.1, 0.1, 0.1}};
    judged.results.settings[0].reading_draws = {first, second};
    return judged.failures();
  };
  const double width = 0.05 + 4.6705 * 0.1 * std::sqrt(1.0 + 1.0 / 20.0);
  CHECK(failures(3.0) == 0);
  CHECK(failures(3.0 + width - 0.01) == 0);
  CHECK(failures(3.0 + width + 0.01) == 1);
  CHECK(failures(3.0 - width - 0.01) == 1);
}
