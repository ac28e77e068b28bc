#include "reports/expectations/expectations.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "reports/shares/group_by.hpp"
#include "reports/shares/measure.hpp"
#include "reports/shares/share_table.hpp"
#include "sim/run/outcome_windows.hpp"
#include "sim/run/records/load_periods.hpp"
#include "sim/run/run.hpp"
#include "sim/study/verdict.hpp"
#include "tests/reports/small_report.hpp"

using namespace spillway;
using namespace spillway::reports;
using namespace std::chrono_literals;

namespace {

scenario::Scenario expecting(scenario::Expectation expectation) {
  scenario::Scenario scenario = testing::small_scenario();
  scenario.expectations.push_back(std::move(expectation));
  return scenario;
}

// Results whose last epoch serves every request, so that all of small_table holds.
run::Results good_results() {
  run::Results results = testing::small_results();
  testing::edit_shares(results, [](auto& shares) { shares.back() = testing::share_of(2, 2, 1.0, 1000); });
  results.outcomes.back().counts[scenario::Outcome::no_healthy_upstream] = 0;
  return results;
}

std::vector<std::string> failures_of(const scenario::Scenario& scenario, run::Results results) {
  results.outcomes_in_windows = run::outcomes_in_windows(scenario, {}, results);
  return failure_lines(evaluate(scenario, results), {{"small.yaml", ""}});
}

scenario::ShareAssertion share_assertion(scenario::Comparison comparison, double percentage) {
  scenario::ShareAssertion assertion;
  assertion.selector.zone = "zone-2";
  assertion.at = 15s;
  assertion.comparison = comparison;
  assertion.figure = {"", percentage, 0};
  return assertion;
}

}  // namespace

TEST_CASE("a table whose figures are the exact ones holds, a verdict a row") {
  const Verdicts verdicts = evaluate(expecting(testing::small_table()), good_results());
  CHECK(verdicts.size() == 3);
  CHECK(tally(verdicts).hold == 3);
  CHECK(tally_text(verdicts) == "expectations: 3 of 3 met");
}

TEST_CASE("breaking any one figure fails and names the cell") {
  const scenario::ExpectedTable table = testing::small_table();
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      for (const double change : {1.0, -1.0}) {
        scenario::ExpectedTable broken = table;
        scenario::Cell& cell = broken.rows[row][column];
        (cell.exact ? *cell.exact : cell.documented).number += change;
        const std::vector<std::string> failures = failures_of(expecting(broken), good_results());
        REQUIRE(failures.size() == 1);
        const std::string place = "small.yaml:" + std::to_string(40 + row) + ":" + std::to_string(10 + 6 * column);
        CHECK(failures.front().rfind(place + ": ", 0) == 0);
        CHECK(failures.front().find("row " + std::to_string(row + 1)) != std::string::npos);
        CHECK(failures.front().find("column " + table.columns[column].title + ":") != std::string::npos);
      }
    }
  }
}

TEST_CASE("the message says what was expected and what is exact") {
  scenario::ExpectedTable table = testing::small_table();
  table.rows[0][2] = testing::cell("1%", 1);
  CHECK(evaluate(expecting(table), good_results()).front().failures.front().message ==
        "table \"priority, two levels\" row 1 (0 - 10 s), column P1: expected 1 %, exact 0 %");
}

TEST_CASE("a difference that is none any more is stale") {
  scenario::ExpectedTable table = testing::small_table();
  table.rows[1][1].documented = {"70%", 70, 0};
  const std::vector<std::string> failures = failures_of(expecting(table), good_results());
  REQUIRE(failures.size() == 1);
  CHECK(failures.front().find("stale difference") != std::string::npos);
}

TEST_CASE("documented figures beside exact ones must add up to the whole, as rounding allows") {
  scenario::ExpectedTable table = testing::small_table();
  const auto failures = [&](double first, double second) {
    table.rows[1][1].documented = {"", first, 0};
    table.rows[1][2].documented = {"", second, 0};
    table.rows[1][2].exact = scenario::Figure{"30%", 30, 0};
    return failures_of(expecting(table), good_results());
  };
  CHECK(failures(68, 32).empty());
  CHECK(failures(0, 0).empty());  // a document may say that nothing gets through
  for (const auto& [first, second] : {std::pair(68.0, 31.0), std::pair(67.0, 32.0), std::pair(69.0, 33.0)}) {
    const std::vector<std::string> found = failures(first, second);
    REQUIRE(found.size() == 1);
    CHECK(found.front().find("the documented figures add up to") != std::string::npos);
  }
}

TEST_CASE("figures are compared at their own precision") {
  run::Results results = good_results();
  results.mode = scenario::Mode::exact;
  results.outcomes.clear();
  testing::edit_shares(results, [](auto& shares) {
    shares[2].exact = 0.32569;  // docs/behaviour/envoy-before-pick.md 15.7
    shares[3].exact = 0.67431;
  });
  scenario::ExpectedTable table = testing::small_table();
  const auto holds = [&](double documented, int decimals) {
    table.rows[1] = {testing::cell("50%", 50), testing::cell("", documented, decimals), testing::cell("67%", 67)};
    return failures_of(expecting(table), results).empty();
  };
  CHECK(holds(33, 0));
  CHECK_FALSE(holds(32, 0));
  CHECK(holds(32.6, 1));
  CHECK_FALSE(holds(32.5, 1));
  CHECK(holds(32.57, 2));
}

TEST_CASE("too few and too many rows are failures that say so") {
  scenario::ExpectedTable table = testing::small_table();
  table.rows.pop_back();
  std::vector<std::string> failures = failures_of(expecting(table), good_results());
  REQUIRE(failures.size() == 1);
  CHECK(failures.front() ==
        "small.yaml:38:5: table \"priority, two levels\" row 3 (20 - 30 s): missing: the table has 2 rows, the run 3 "
        "epochs");

  table = testing::small_table();
  table.rows.push_back(table.rows.back());
  failures = failures_of(expecting(table), good_results());
  REQUIRE(failures.size() == 1);
  CHECK(failures.front().find("row 4: the run has only 3 epochs for it") != std::string::npos);
}

TEST_CASE("counts that stray too far from the exact shares fail, those within chance do not") {
  run::Results results = good_results();
  const auto with_counts = [&](std::uint64_t first) {
    testing::edit_shares(results, [&](auto& shares) {
      shares[2] = testing::share_of(1, 0, 0.7, first);
      shares[3] = testing::share_of(1, 2, 0.3, 1000 - first);
    });
    return failures_of(expecting(testing::small_table()), results);
  };
  CHECK(with_counts(650).empty());  // 3.5 standard deviations
  const std::vector<std::string> failures = with_counts(600);
  REQUIRE(failures.size() == 1);
  CHECK(failures.front().find("row 2 (10 - 20 s), column P0: the counts do not fit the exact shares: exact 70 %, "
                              "simulated 60.00 of 1,000 requests (chance ") != std::string::npos);
}

TEST_CASE("a request where none can go fails") {
  run::Results results = good_results();
  testing::edit_shares(results, [](auto& shares) {
    shares[4] = testing::share_of(2, 2, 1.0, 999);
    shares.push_back(testing::share_of(2, 0, 0.0, 1));
  });
  const std::vector<std::string> failures = failures_of(expecting(testing::small_table()), results);
  REQUIRE(failures.size() == 1);
  CHECK(failures.front().find("(impossible)") != std::string::npos);
}

TEST_CASE("without a closed form the documented figure is held against the counts") {
  run::Results results = good_results();
  testing::edit_shares(results, [](auto& shares) {
    shares[2] = testing::share_of(1, 0, 0.7, 712);
    shares[2].exact.reset();
    shares[3].exact.reset();
  });
  scenario::ExpectedTable table = testing::small_table();
  table.rows[1] = {testing::cell("50%", 50), testing::cell("70%", 70), testing::cell("30%", 30)};
  CHECK(failures_of(expecting(table), results).empty());
  table.rows[1][1] = testing::cell("50%", 50);
  CHECK(failures_of(expecting(table), results).size() == 1);
}

TEST_CASE("outcomes are counted in the epochs that the window overlaps") {
  scenario::OutcomeAssertion none{scenario::Outcome::no_healthy_upstream, scenario::Comparison::equals, 0, 0s, 20s, {}};
  CHECK(failures_of(expecting(none), testing::small_results()).empty());
  none.to = 30s;
  CHECK(failures_of(expecting(none), testing::small_results()) ==
        std::vector<std::string>{"small.yaml:1:1: no_healthy_upstream 0 - 30 s: expected 0, counted 2"});
  none.comparison = scenario::Comparison::at_most;
  none.count = 2;
  CHECK(failures_of(expecting(none), testing::small_results()).empty());
}

TEST_CASE("in exact mode shares say whether a host was missing, and other outcomes are not tested") {
  run::Results results = testing::small_exact_results();
  scenario::OutcomeAssertion none{scenario::Outcome::no_healthy_upstream, scenario::Comparison::equals, 0, 0s, 30s, {}};
  CHECK(failures_of(expecting(none), results).empty());
  testing::edit_shares(results, [](auto& shares) { shares.back().exact = 0.75; });
  CHECK(failures_of(expecting(none), results) ==
        std::vector<std::string>{"small.yaml:1:1: no_healthy_upstream 0 - 30 s: expected 0, exact 25 % of the requests "
                                 "of frontend to backend in 20 - 30 s find no host"});
  none.outcome = scenario::Outcome::timeout;
  const Verdicts verdicts = evaluate(expecting(none), results);
  CHECK(tally(verdicts).not_tested == 1);
  CHECK(tally_text(verdicts) == "expectations: 0 of 1 met, 1 not tested");
}

TEST_CASE("a share is asserted at the epoch that holds the moment") {
  using scenario::Comparison;
  CHECK(failures_of(expecting(share_assertion(Comparison::equals, 30)), good_results()).empty());
  CHECK(failures_of(expecting(share_assertion(Comparison::at_most, 30)), good_results()).empty());
  CHECK(failures_of(expecting(share_assertion(Comparison::at_least, 30)), good_results()).empty());
  CHECK(
      failures_of(expecting(share_assertion(Comparison::at_most, 29)), good_results()) ==
      std::vector<std::string>{"small.yaml:1:1: share of frontend zone-2 at 15 s: expected at most 29 %, exact 30 %"});
  CHECK(failures_of(expecting(share_assertion(Comparison::equals, 31)), good_results()).size() == 1);
}

namespace {

scenario::UtilisationAssertion utilisation_assertion(scenario::Comparison comparison, double percentage) {
  scenario::UtilisationAssertion assertion;
  assertion.from = 10s;
  assertion.to = 20s;
  assertion.comparison = comparison;
  assertion.figure = {"", percentage, 0};
  return assertion;
}

// The first two endpoints have cores; the second one had nothing to do.
scenario::Scenario with_cores(const scenario::UtilisationAssertion& assertion) {
  scenario::Scenario scenario = expecting(assertion);
  scenario.endpoints[0].servers = scenario::Servers{};
  scenario.endpoints[1].servers = scenario::Servers{};
  return scenario;
}

run::Results with_window(std::optional<double> utilisation) {
  run::Results results = good_results();
  run::EndpointLoad elsewhere{.start = 0s, .end = 20s};
  elsewhere.utilisation = 0.99;
  run::EndpointLoad load{.start = 10s, .end = 20s};
  load.utilisation = utilisation;
  results.windows = {elsewhere, load};
  return results;
}

}  // namespace

TEST_CASE("an assertion on utilisation is about each endpoint with cores, idle ones too") {
  using scenario::Comparison;
  const auto at_most = with_cores(utilisation_assertion(Comparison::at_most, 80.0));
  CHECK(failures_of(at_most, with_window(0.8)).empty());
  const std::vector<std::string> failures = failures_of(at_most, with_window(0.8125));
  REQUIRE(failures.size() == 1);
  CHECK(failures[0].ends_with("utilisation of every endpoint 10 - 20 s: expected at most 80 %, measured 81.25 of " +
                              at_most.endpoints[0].id));
  auto at_least = utilisation_assertion(Comparison::at_least, 50.0);
  CHECK(failures_of(with_cores(at_least), with_window(0.8)).size() == 1);
  at_least.selector.endpoint = at_most.endpoints[0].id;
  CHECK(failures_of(with_cores(at_least), with_window(0.8)).empty());
  at_least.selector.endpoint = at_most.endpoints[1].id;
  CHECK(failures_of(with_cores(at_least), with_window(0.8)).size() == 1);
}

TEST_CASE("an assertion on utilisation of nobody, or of which nothing is known, fails") {
  const auto at_most = utilisation_assertion(scenario::Comparison::at_most, 80.0);
  const auto nobody = failures_of(expecting(at_most), with_window(0.5));
  REQUIRE(nobody.size() == 1);
  CHECK(nobody[0].find("no such endpoint has a limited number of cores") != std::string::npos);
  run::Results unknown = with_window(std::nullopt);
  unknown.mode = scenario::Mode::exact;
  const auto failures = failures_of(with_cores(at_most), unknown);
  REQUIRE(failures.size() == 1);
  CHECK(failures[0].find("no closed form") != std::string::npos);
}

TEST_CASE("a counted share is met, not met or undecided by its whole 95 % interval") {
  using scenario::Comparison;
  run::Results results = good_results();
  testing::edit_shares(results, [](auto& shares) {
    shares[2] = testing::share_of(1, 0, 0.5, 500);
    shares[3] = testing::share_of(1, 2, 0.5, 500);
    shares[2].exact.reset();
    shares[3].exact.reset();
  });
  // 1.96 * sqrt(0.25 / 1000) = 3.1 %
  const auto outcome = [&](Comparison comparison, double percentage) {
    return evaluate(expecting(share_assertion(comparison, percentage)), results).at(0).outcome;
  };
  CHECK(outcome(Comparison::at_most, 54) == study::Verdict::met);
  CHECK(outcome(Comparison::at_least, 46) == study::Verdict::met);
  CHECK(outcome(Comparison::at_most, 46) == study::Verdict::missed);
  CHECK(outcome(Comparison::at_least, 54) == study::Verdict::missed);
  CHECK(outcome(Comparison::equals, 46) == study::Verdict::missed);
  CHECK(outcome(Comparison::at_most, 52) == study::Verdict::undecided);
  CHECK(outcome(Comparison::at_least, 48) == study::Verdict::undecided);
  CHECK(outcome(Comparison::equals, 50) == study::Verdict::met);
  // (3.09 / 2)^2 * 1000 = 2,390
  const std::vector<std::string> lines = failures_of(expecting(share_assertion(Comparison::at_most, 52)), results);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0] ==
        "small.yaml:1:1: undecided: share of frontend zone-2 at 15 s: expected at most 52 %, simulated 50.00 of 1,000 "
        "requests, 95 % interval 46.91 to 53.09 %; about 2,400 requests would decide it: a longer time, or `run "
        "--replications 3`");
  const Verdicts undecided = evaluate(expecting(share_assertion(Comparison::at_most, 52)), results);
  CHECK(tally_text(undecided) == "expectations: 0 of 1 met, 1 undecided");
}

TEST_CASE("utilisation is undecided where the parts of its window differ by more than what is missing") {
  using scenario::Comparison;
  run::Results results = with_window(0.4);
  // Parts of 0.3 and 0.5 in turn: 2.093 * sqrt(19 * 0.2^2 / (2 * 19) / 20) = 6.62 %.
  double part = 0.3;
  for (const run::Stretch& stretch : run::parts_of({10s, 20s})) {
    run::EndpointLoad& load = results.windows.emplace_back();
    load.start = stretch.start;
    load.end = stretch.end;
    load.utilisation = part;
    part = 0.8 - part;
  }
  const auto outcome = [&](Comparison comparison, double percentage) {
    auto assertion = utilisation_assertion(comparison, percentage);
    const scenario::Scenario scenario = with_cores(assertion);
    assertion.selector.endpoint = scenario.endpoints[0].id;
    return evaluate(with_cores(assertion), results).at(0).outcome;
  };
  CHECK(outcome(Comparison::at_most, 47) == study::Verdict::met);
  CHECK(outcome(Comparison::at_most, 46) == study::Verdict::undecided);
  CHECK(outcome(Comparison::at_least, 34) == study::Verdict::undecided);
  CHECK(outcome(Comparison::at_least, 33) == study::Verdict::met);
  CHECK(outcome(Comparison::equals, 40) == study::Verdict::met);
  CHECK(outcome(Comparison::equals, 50) == study::Verdict::missed);
}

TEST_CASE("hosts that were removed are in no column of healthy hosts, whatever was told of them") {
  const scenario::Scenario scenario = testing::small_scenario();
  run::Results results = testing::small_results();
  run::Epoch& epoch = results.epochs[1];  // of two hosts of zone-1 the second one is told unhealthy
  scenario::Column column{"", scenario::Quantity::healthy, {}};
  column.selector.zone = "zone-1";
  const auto healthy_in_table = [&] {
    const Grouped grouped = group_by(scenario, results, {Dimension::client, Dimension::zone});
    const EdsHosts reported = share_tables(scenario, grouped).at(0).rows.at(1).reported.at(0);
    return reported_percent(reported.healthy, reported);
  };
  CHECK(measure(scenario, results, epoch, column).exact == Approx(50.0));
  CHECK(healthy_in_table() == "50 %");
  run::EpochHealth removed = *epoch.health;
  removed.absent = {0, 1, 0, 0};
  epoch.health = std::make_shared<const run::EpochHealth>(std::move(removed));
  CHECK(measure(scenario, results, epoch, column).exact == Approx(100.0));
  CHECK(healthy_in_table() == "100 %");
}
