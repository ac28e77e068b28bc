#include "reports/expectations/check_report.hpp"

#include <catch2/catch.hpp>

#include "reports/control_plane/reading_verdicts.hpp"
#include "reports/expectations/expectations.hpp"
#include "sim/study/verdict.hpp"
#include "tests/reports/small_report.hpp"
#include "tests/support/golden.hpp"

using namespace spillway;
using namespace spillway::reports;
using support::golden;

namespace {

Verdicts small_verdicts() {
  scenario::Scenario scenario = testing::small_scenario();
  scenario.expectations.emplace_back(testing::small_table());
  return evaluate(scenario, testing::small_results());
}

std::vector<CheckedScenario> three_scenarios() {
  Verdicts good = small_verdicts();
  good.pop_back();
  return {{"good.yaml", "a <good> one", good, ""},
          {"folder/bad.yaml", "a bad | one", small_verdicts(), ""},
          {"worse.yaml", "a crash", {}, "killed by signal 11 (Segmentation fault)"}};
}

const std::vector<Sources> sources{{{"good.yaml", ""}}, {{"folder/bad.yaml", ""}}, {{"worse.yaml", ""}}};

void check_golden(const std::string& name, Format format) {
  const std::string text = format_check(three_scenarios(), sources, format, {});
  CHECK(golden("reports/golden/" + name, text) == text);
}

}  // namespace

TEST_CASE("a scenario passes if all that it expects was tested and holds") {
  CHECK(passed(three_scenarios()[0]));
  CHECK_FALSE(passed(three_scenarios()[1]));
  CHECK_FALSE(passed(three_scenarios()[2]));
  Verdict untested;
  untested.outcome = study::Verdict::unknown;
  CHECK_FALSE(passed({"a", "a", {untested}, ""}));
  CHECK(passed({"nothing.yaml", "nothing expected", {}, ""}));
}

TEST_CASE("verdicts survive the way from one process to another") {
  const Verdicts verdicts = small_verdicts();
  const Verdicts copy = verdicts_from_bytes(verdicts_to_bytes(verdicts));
  REQUIRE(copy.size() == verdicts.size());
  CHECK(failure_lines(copy, sources[0]) == failure_lines(verdicts, sources[0]));
  CHECK(copy.back().title == verdicts.back().title);
  CHECK(copy.back().failures.front().simulated == verdicts.back().failures.front().simulated);
}

TEST_CASE("what is undecided is not met, in every format") {
  Verdict open;
  open.outcome = study::Verdict::undecided;
  open.title = "share of c a at 5 s";
  open.why_open = "undecided: 9,600 requests would decide it";
  const std::vector<CheckedScenario> checked{{"good.yaml", "a", verdicts_from_bytes(verdicts_to_bytes({open})), ""}};
  CHECK_FALSE(passed(checked.front()));
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(has(format_check(checked, sources, Format::table, {}), "0 of 1 expectations met, 1 undecided"));
  const std::string json = format_check(checked, sources, Format::json, {});
  CHECK(has(json, R"("outcome": "undecided")"));
  CHECK(has(json, R"("failed": 0)"));
  CHECK(has(json, R"("undecided": 1)"));
  CHECK(has(format_check(checked, sources, Format::csv, {}), "undecided,good.yaml"));
  const std::string junit = format_junit(checked, sources);
  CHECK(has(junit, R"(failures="1")"));
  CHECK(has(junit, R"(<failure message="undecided: 9,600 requests would decide it"/>)"));
}

TEST_CASE("golden: check as table") {
  check_golden("check.txt", Format::table);
}
TEST_CASE("golden: check as wide") {
  check_golden("check-wide.txt", Format::wide);
}
TEST_CASE("golden: check as markdown") {
  check_golden("check.md", Format::markdown);
}
TEST_CASE("golden: check as csv") {
  check_golden("check.csv", Format::csv);
}
TEST_CASE("golden: check as json") {
  check_golden("check.json", Format::json);
}

TEST_CASE("golden: check as JUnit XML") {
  const std::string text = format_junit(three_scenarios(), sources);
  CHECK(golden("reports/golden/check.xml", text) == text);
}

TEST_CASE("check says how many figures of a chart are met as known differences only") {
  Verdict met;
  CheckedScenario chart{"chart.yaml", "a chart", {met, met}, ""};
  chart.known_differences = known_differences_text({.readings = 87, .ratios = 5});
  const std::vector<Sources> of_chart{{{"chart.yaml", ""}}};
  CHECK(
      format_check({chart}, of_chart, Format::table, {})
          .starts_with("ok      chart.yaml   2 of 2 expectations met; 87 readings and 5 ratios are known differences"));
  CHECK(format_check({chart}, of_chart, Format::json, {}).find("87 readings and 5 ratios") != std::string::npos);
  CHECK(known_differences_text({.readings = 1, .ratios = 0}) == "1 reading is a known difference");
  CHECK(known_differences_text({}).empty());
}

TEST_CASE("known differences of a chart are counted figure by figure") {
  scenario::ControlPlane plane;
  scenario::ControlPlaneSetting& setting = plane.settings.emplace_back();
  setting.differences.push_back({.documented = {1.0, 2.0, {}}, .ours = {1.1, 2.2, {}}});
  setting.differences.push_back({.documented = {{}, {}, 3.0}, .ours = {{}, {}, 3.3}});
  setting.ratios.push_back({.times = {1.5, 1.5, 2.0}, .ours = {{}, {}, 1.1}});
  CHECK(count_known_differences(plane).readings == 3);
  CHECK(count_known_differences(plane).ratios == 1);
}
