// What gnuplot gets to read, of the results in tests/reports/small_report.hpp and of runs.
#include <catch2/catch.hpp>
#include <string>

#include "reports/plot/latency_timeline.hpp"
#include "reports/plot/plots.hpp"
#include "reports/plot/time_panels.hpp"
#include "reports/shares/group_by.hpp"
#include "sim/run/run.hpp"
#include "tests/reports/small_report.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace spillway;
using namespace spillway::reports;
using namespace spillway::reports::plot;
using namespace std::chrono_literals;

namespace {

bool contains_text(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string shares_by(const Dimensions& by, const run::Results& results) {
  const scenario::Scenario scenario = testing::small_scenario();
  return share_plot(scenario, group_by(scenario, results, by), Image::svg);
}

constexpr auto client_zone_priority = {Dimension::client, Dimension::zone, Dimension::priority};

}  // namespace

TEST_CASE("shares are stacked epoch by epoch") {
  const std::string script = shares_by(client_zone_priority, testing::small_exact_results());
  // zone-1 has 100 %, 70 % and 0 %: from, to, low, high behind the middle of each box.
  CHECK(contains_text(script, "\n5 50 0 10 0 100\n15 35 10 20 0 70\n"));
  CHECK(contains_text(script, "\n15 85 10 20 70 100\n25 50 20 30 0 100\n"));
  CHECK(contains_text(script, "fillcolor rgb '#0072B2'"));
  CHECK(contains_text(script, "'frontend (20, zone-1) -> backend'"));
  CHECK(contains_text(script, "'zone-2 P1'"));
  CHECK(contains_text(script, "set label '70 %'"));
}

TEST_CASE("without zones the color is the priority's") {
  const std::string script = shares_by({Dimension::client, Dimension::priority}, testing::small_exact_results());
  CHECK(contains_text(script, "fillcolor rgb '#009E73'"));
  CHECK(contains_text(script, "fillcolor rgb '#E69F00'"));
  CHECK_FALSE(contains_text(script, "#0072B2"));
}

TEST_CASE("simulated shares are dots on exact ones, and the stack where no closed form exists") {
  run::Results results = testing::small_results();
  CHECK(contains_text(shares_by(client_zone_priority, results), "with points pointtype 7"));
  testing::edit_shares(results, [](std::vector<run::Share>& shares) {
    for (run::Share& share : shares) {
      share.exact.reset();
    }
  });
  const std::string simulated = shares_by(client_zone_priority, results);
  CHECK_FALSE(contains_text(simulated, "with points"));
  CHECK(contains_text(simulated, "simulated shares"));
}

TEST_CASE("over time the stack is what was counted, with exact shares as steps and no figures in it") {
  const scenario::Scenario scenario = testing::small_scenario();
  const run::Results results = testing::small_results();
  const std::string script =
      share_plot(scenario, group_by(scenario, results, client_zone_priority), Image::svg, Rows::over_time);
  CHECK(contains_text(script, "with vectors nohead"));
  CHECK(contains_text(script, "shares as counted"));
  CHECK(contains_text(script, "'lines: exact'"));
  CHECK_FALSE(contains_text(script, "set label '70 %'"));
  // The exact share of the first zone is 70 % from 10 s to 20 s: a line, and one down to it.
  CHECK(contains_text(script, "10 70 10 0\n"));
}

TEST_CASE("what finds no host is hatched") {
  run::Results results = testing::small_exact_results();
  CHECK_FALSE(contains_text(shares_by(client_zone_priority, results), "'no host'"));
  std::erase_if(results.shares.blocks(), [](const run::ShareBlock& block) { return block.epoch == 2; });
  const std::string script = shares_by(client_zone_priority, results);
  CHECK(contains_text(script, "\n25 50 20 30 0 100\n"));
  CHECK(contains_text(script, "'no host'"));
  CHECK(contains_text(script, "fillstyle pattern 4"));
}

TEST_CASE("latency is drawn where there are answers, with gaps between") {
  scenario::Scenario scenario = support::one_service({1});
  LatencyTimeline timeline(scenario, 2s);
  for (const auto at : {1s, 5s}) {
    run::TracedRequest request;
    request.sent_at = at;
    request.ended_at = at + 4ms;
    timeline.add(request);
  }
  const std::string script = latency_plot(scenario, timeline, Image::svg);
  CHECK(contains_text(script, "\n1 4\n\n5 4\n\n\n"));
  CHECK(contains_text(script, "latency of 2 answers, every 2 s"));
  CHECK(contains_text(script, "set yrange [0:4.8"));
}

TEST_CASE("latencies far apart are on a logarithmic scale") {
  scenario::Scenario scenario = support::one_service({1});
  LatencyTimeline timeline(scenario, 2s);
  for (const auto latency : {1ms, 100ms}) {
    run::TracedRequest request;
    request.sent_at = latency == 1ms ? 0s : 3s;
    request.ended_at = request.sent_at + latency;
    timeline.add(request);
  }
  CHECK(contains_text(latency_plot(scenario, timeline, Image::svg), "set logscale y"));
}

TEST_CASE("load is utilisation where endpoints have cores, else requests a second") {
  scenario::Scenario scenario = support::one_service({2});
  run::Results results;
  results.mode = scenario::Mode::requests;
  results.samples.push_back({.start = 0s, .end = 1s, .endpoint = {0}, .utilisation = 0.5, .requests = 10});
  results.samples.push_back({.start = 1s, .end = 2s, .endpoint = {0}, .utilisation = 0.5, .requests = 10});
  const std::string utilisation = load_plot(scenario, results, {{0}}, Image::svg);
  CHECK(contains_text(utilisation, "'utilisation of cores'"));
  // Two samples of one darkness are one cell; an endpoint without any has a row.
  CHECK(contains_text(utilisation, "\n1 0.5 0 2 "));
  CHECK(contains_text(utilisation, "'backend-2'"));
  CHECK(contains_text(utilisation, "set yrange [2:0]"));
  for (run::EndpointLoad& sample : results.samples) {
    sample.utilisation.reset();
  }
  const std::string rate = load_plot(scenario, results, {{0}}, Image::svg);
  CHECK(contains_text(rate, "'requests a second'"));
  CHECK(contains_text(rate, "'10 rps'"));
}

TEST_CASE("load in mode exact is what is to be expected, marked beyond 100 % and hatched where nobody can tell") {
  scenario::Scenario scenario = support::one_service({2});
  run::Results results;
  results.mode = scenario::Mode::exact;
  results.samples.push_back({.start = 0s, .end = 1s, .endpoint = {0}, .utilisation = 1.25, .expected = 10.0});
  results.samples.push_back({.start = 1s, .end = 2s, .endpoint = {0}, .utilisation = 1.0, .expected = 8.0});
  results.samples.push_back({.start = 0s, .end = 2s, .endpoint = {1}});
  const std::string utilisation = load_plot(scenario, results, {{0}}, Image::svg);
  CHECK(contains_text(utilisation, "'utilisation of cores, expected'"));
  CHECK(contains_text(utilisation, "'above 100 %'"));
  CHECK(contains_text(utilisation, "\n0.5 0.5 0 1 "));
  CHECK(contains_text(utilisation, "\n1.5 0.5 1 2 "));
  CHECK(contains_text(utilisation, "'unknown'"));
  CHECK(contains_text(utilisation, "fillstyle pattern 4"));
  for (run::EndpointLoad& sample : results.samples) {
    sample.utilisation.reset();
  }
  const std::string rate = load_plot(scenario, results, {{0}}, Image::svg);
  CHECK(contains_text(rate, "'requests a second, expected'"));
  CHECK(contains_text(rate, "'10 rps'"));
}

TEST_CASE("in mode exact a share that is not exact is drawn as unknown, not as no host") {
  run::Results results = testing::small_exact_results();
  testing::edit_shares(results, [](std::vector<run::Share>& shares) {
    for (run::Share& share : shares) {
      if (share.epoch == 1) {
        share.exact.reset();
      }
    }
  });
  const std::string script = shares_by(client_zone_priority, results);
  CHECK(contains_text(script, "'?: no exact share'"));
  CHECK(contains_text(script, "set label '?'"));
  CHECK(contains_text(script, "\n15 50 10 20 0 100\n"));
  CHECK_FALSE(contains_text(script, "'no host'"));
  CHECK_FALSE(contains_text(script, "set label '70 %'"));
}

TEST_CASE("names of any kind stay texts") {
  scenario::Scenario scenario = testing::small_scenario();
  scenario.name = scenario.clients.front().name = "'; system('x') `x`\nplot x";
  const run::Results results = testing::small_exact_results();
  const std::string script = share_plot(scenario, group_by(scenario, results, client_zone_priority), Image::svg);
  CHECK(contains_text(script, "'\u2019; system(''x'') `x`"));
  CHECK_FALSE(contains_text(script, "\nplot x"));
}

TEST_CASE("marks of one time share a number, which no other one overprints") {
  scenario::Scenario scenario = testing::small_scenario();
  scenario.changes = {};
  TimePanels panels(scenario, Image::svg, {100.0}, {}, {{10s, "a"}, {10s, "b"}, {10s, "c"}, {20s, "d"}});
  static_cast<void>(panels.begin_panel("title", "note"));
  const std::string script = panels.finish();
  const auto times = [&](const std::string& label) {
    std::size_t found = 0;
    for (std::size_t at = script.find(label); at != std::string::npos; at = script.find(label, at + 1)) {
      ++found;
    }
    return found;
  };
  CHECK(times("set label '1-3'") == 1);
  CHECK(times("set label '1'") == 1);  // at the foot, with what it means
  CHECK(times("set label '4'") == 2);
}
