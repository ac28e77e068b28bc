// Snapshots, one golden file a format (tests/support/golden.hpp says how they are renewed).
#include "tests/support/golden.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "reports/expectations/expectations.hpp"
#include "reports/formats.hpp"
#include "tests/reports/small_report.hpp"

using namespace spillway;
using namespace spillway::reports;
using support::golden;

namespace {

std::string formatted(Format format, const run::Results& results, const Look& look = {}) {
  scenario::Scenario scenario = testing::small_scenario();
  scenario.expectations.emplace_back(testing::small_table());
  Report report{scenario, results, {"warning[SP201]: something to think about"}, evaluate(scenario, results), {}};
  report.failures = failure_lines(report.verdicts, {{"small.yaml", ""}});
  return reports::format(report, format, default_dimensions(format, scenario), look);
}

void check_golden(const std::string& name, const std::string& text) {
  CHECK(golden("reports/golden/" + name, text) == text);
}

}  // namespace

TEST_CASE("golden: the table of a run with requests on a wide terminal") {
  check_golden("table.txt", formatted(Format::table, testing::small_results()));
}

TEST_CASE("golden: the table of a run with requests on a narrow terminal") {
  check_golden("table-narrow.txt", formatted(Format::table, testing::small_results(), {60, false}));
}

TEST_CASE("golden: the table of exact shares") {
  check_golden("table-exact.txt", formatted(Format::table, testing::small_exact_results()));
}

TEST_CASE("golden: the table in color") {
  check_golden("table-color.txt", formatted(Format::table, testing::small_results(), {100, true}));
}

TEST_CASE("golden: wide") {
  check_golden("wide.txt", formatted(Format::wide, testing::small_results()));
}

TEST_CASE("golden: markdown") {
  check_golden("markdown.md", formatted(Format::markdown, testing::small_results()));
}

TEST_CASE("golden: csv") {
  check_golden("shares.csv", formatted(Format::csv, testing::small_results()));
}

TEST_CASE("golden: json") {
  check_golden("results.json", formatted(Format::json, testing::small_results()));
}

TEST_CASE("golden: json of exact shares") {
  check_golden("results-exact.json", formatted(Format::json, testing::small_exact_results()));
}
