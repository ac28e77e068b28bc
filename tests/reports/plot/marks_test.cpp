#include "reports/plot/marks.hpp"

#include <catch2/catch.hpp>

#include "tests/support/small_scenarios.hpp"

using namespace spillway;
using namespace spillway::reports::plot;
using namespace std::chrono_literals;

namespace {

std::string only_mark(scenario::Scenario scenario, const std::vector<scenario::Effect>& effects) {
  for (const scenario::Effect& effect : effects) {
    scenario.changes.push_back({4s, effect, {}});
  }
  const std::vector<Mark> marks = marks_of(scenario);
  if (marks.empty()) {
    return "";
  }
  CHECK(marks.size() == 1);
  CHECK(marks.front().at == 4s);
  return marks.front().text;
}

}  // namespace

TEST_CASE("what proxies are told of health makes no mark") {
  const scenario::Scenario scenario = support::one_service({2, 1});
  CHECK(only_mark(scenario, {scenario::EdsHealth{{0}, {{{0}, config::HealthStatus::unhealthy}}}}).empty());
}

TEST_CASE("a zone fails where all its nodes do, else nodes by their names") {
  scenario::Scenario scenario = support::one_service({2, 1});
  CHECK(only_mark(scenario, {scenario::NodeOutage{{1}, false}}) == "zone-2 fails");
  CHECK(only_mark(scenario, {scenario::NodeOutage{{1}, true}}) == "zone-2 back");
  scenario.nodes.push_back({"extra", config::ZoneIndex{1}, ""});
  CHECK(only_mark(scenario, {scenario::NodeOutage{{2}, false}}) == "extra fails");
  CHECK(only_mark(scenario, {scenario::NodeOutage{{1}, false}, scenario::NodeOutage{{2}, false}}) == "zone-2 fails");
}

TEST_CASE("endpoints that are removed are also gone, which is not said twice") {
  const scenario::Scenario scenario = support::one_service({2, 1});
  CHECK(only_mark(scenario, {scenario::Existence{{0}, {{0}}, false}, scenario::EdsMembership{{0}, {{0}}, false}}) ==
        "backend-1 removed");
  CHECK(only_mark(scenario, {scenario::Existence{{0}, {{0}, {1}}, false}}) == "backend: 2 endpoints gone");
  CHECK(only_mark(scenario, {scenario::Existence{{0}, {{0}, {1}}, true}}) == "backend: 2 endpoints back");
}

TEST_CASE("failures, slowness, links, checks, phases and weights are said in words") {
  scenario::Scenario scenario = support::one_service({2, 1});
  scenario.links.push_back({config::ZoneIndex{0}, config::ZoneIndex{1}, 1ms});
  CHECK(only_mark(scenario, {scenario::Fails{{0}, {{0}}, 0.5}}) == "backend-1 fails 50 %");
  CHECK(only_mark(scenario, {scenario::Fails{{0}, {{0}}, 0.0}}) == "backend-1 fails no more");
  CHECK(only_mark(scenario, {scenario::Slow{{0}, {{0}, {2}}, 2.5}}) == "backend: 2 endpoints 2.5 times as slow");
  CHECK(only_mark(scenario, {scenario::Slow{{0}, {{0}}, 1.0}}) == "backend-1 as fast as before");
  CHECK(only_mark(scenario, {scenario::LinkChange{{0}, 6ms, {}}}) == "zone-1 - zone-2: 6 ms");
  CHECK(only_mark(scenario, {scenario::LinkChange{{0}, {}, false}}) == "link zone-1 - zone-2 fails");
  CHECK(only_mark(scenario, {scenario::AnswersChecks{{0}, {{1}}, scenario::CheckAnswer::degraded}}) ==
        "backend-2 answers checks: degraded");
  CHECK(only_mark(scenario, {scenario::RateChange{{0}, 20.0, 1.0}}) == "frontend: 20 rps and rising");
  CHECK(only_mark(scenario, {scenario::EdsWeights{{0}, {{{0}, 3}}}}) == "backend: other weights");
}

TEST_CASE("what happens at one moment is one mark") {
  scenario::Scenario scenario = support::one_service({2, 1});
  scenario.changes.push_back({1s, scenario::NodeOutage{{1}, false}, {}});
  scenario.changes.push_back({2s, scenario::NodeOutage{{1}, true}, {}});
  scenario.changes.push_back({2s, scenario::Slow{{0}, {{0}}, 2.0}, {}});
  const std::vector<Mark> marks = marks_of(scenario);
  REQUIRE(marks.size() == 2);
  CHECK(marks[1].text == "zone-2 back, backend-1 2 times as slow");
}

TEST_CASE("a change that another one replaces at once makes no mark") {
  const scenario::Scenario scenario = support::one_service({2, 1});
  const scenario::Slow slow{.service = {0}, .hosts = {{0}}, .slowness = 3.0};
  const scenario::Slow slower{.service = {0}, .hosts = {{0}, {1}}, .slowness = 5.0};
  CHECK(only_mark(scenario, {slow, slower}) == only_mark(scenario, {slower}));
  CHECK(only_mark(scenario, {slower, slow}).find("5 times") != std::string::npos);  // of the other host it lasts
}
