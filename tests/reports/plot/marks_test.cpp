#include "reports/plot/marks.hpp"

#include <catch2/catch.hpp>

#include "reports/shares/change_words.hpp"
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

TEST_CASE("nodes of a zone that fail together are one text, as in the log of events") {
  scenario::Scenario scenario = support::one_service({2, 1});
  CHECK(only_mark(scenario, {scenario::NodeOutage{{1}, false}}) == "node zone-2 fails");
  CHECK(only_mark(scenario, {scenario::NodeOutage{{1}, true}}) == "node zone-2 comes back");
  scenario.nodes.push_back({"extra", config::ZoneIndex{1}, ""});
  CHECK(only_mark(scenario, {scenario::NodeOutage{{1}, false}, scenario::NodeOutage{{2}, false}}) ==
        "2 nodes of zone-2 fail");
}

TEST_CASE("endpoints that are removed are also gone, which is not said twice") {
  const scenario::Scenario scenario = support::one_service({2, 1});
  CHECK(only_mark(scenario, {scenario::Existence{{0}, {{0}}, false}, scenario::EdsMembership{{0}, {{0}}, false}}) ==
        "proxies are told by EDS that backend-1 was removed");
}

TEST_CASE("a mark has the words of the log of events") {
  scenario::Scenario scenario = support::one_service({2, 1});
  scenario.links.push_back({config::ZoneIndex{0}, config::ZoneIndex{1}, 1ms});
  for (const scenario::Effect& effect :
       {scenario::Effect(scenario::Fails{{0}, {{0}}, 0.5}), scenario::Effect(scenario::Slow{{0}, {{0}, {2}}, 2.5}),
        scenario::Effect(scenario::LinkChange{{0}, 6ms, {}}), scenario::Effect(scenario::RateChange{{0}, 20.0, 1.0}),
        scenario::Effect(scenario::AnswersChecks{{0}, {{1}}, scenario::CheckAnswer::degraded}),
        scenario::Effect(scenario::EdsWeights{{0}, {{{0}, 3}}})}) {
    CHECK(only_mark(scenario, {effect}) == reports::change_text(scenario, effect));
  }
}

TEST_CASE("what happens at one moment is one mark") {
  scenario::Scenario scenario = support::one_service({2, 1});
  scenario.changes.push_back({1s, scenario::NodeOutage{{1}, false}, {}});
  scenario.changes.push_back({2s, scenario::NodeOutage{{1}, true}, {}});
  scenario.changes.push_back({2s, scenario::Slow{{0}, {{0}}, 2.0}, {}});
  const std::vector<Mark> marks = marks_of(scenario);
  REQUIRE(marks.size() == 2);
  CHECK(marks[1].text == "node zone-2 comes back, backend-1 takes 2 times as long");
}

TEST_CASE("a change that another one replaces at once makes no mark") {
  const scenario::Scenario scenario = support::one_service({2, 1});
  const scenario::Slow slow{.service = {0}, .hosts = {{0}}, .slowness = 3.0};
  const scenario::Slow slower{.service = {0}, .hosts = {{0}, {1}}, .slowness = 5.0};
  CHECK(only_mark(scenario, {slow, slower}) == only_mark(scenario, {slower}));
  CHECK(only_mark(scenario, {slower, slow}).find("5 times") != std::string::npos);  // of the other host it lasts
}
