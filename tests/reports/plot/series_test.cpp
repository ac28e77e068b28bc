// What is counted for pictures over time.
#include <catch2/catch.hpp>

#include "reports/plot/ejected_hosts.hpp"
#include "reports/plot/latency_timeline.hpp"
#include "sim/run/results.hpp"
#include "sim/run/traffic/request_trace.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace spillway;
using namespace spillway::reports::plot;
using namespace std::chrono_literals;

namespace {

run::TracedRequest answered(std::chrono::nanoseconds at, std::chrono::nanoseconds latency) {
  run::TracedRequest request;
  request.sent_at = at;
  request.ended_at = at + latency;
  return request;
}

run::Results with_epoch(const scenario::Scenario& scenario) {
  run::Results results;
  run::Epoch epoch;
  epoch.end = scenario.duration;
  results.epochs.push_back(epoch);
  return results;
}

}  // namespace

TEST_CASE("latencies count where the request was sent, and the last stretch ends with the run") {
  const scenario::Scenario scenario = support::one_service({1});  // ten seconds
  LatencyTimeline timeline(scenario, 3s);
  timeline.add(answered(2900ms, 400ms));  // ends in the second stretch
  timeline.add(answered(9500ms, 2s));     // ends after the run
  REQUIRE(timeline.stretches().size() == 1);
  const auto& stretches = timeline.stretches().begin()->second;
  REQUIRE(stretches.size() == 4);
  CHECK(stretches[0].latency.total() == 1);
  CHECK(stretches[0].latency.maximum() == 400ms);
  CHECK(stretches[1].latency.total() == 0);
  CHECK(stretches[3].latency.total() == 1);
  CHECK(stretches[3].end == 10s);
}

TEST_CASE("requests that nobody answered have no latency") {
  const scenario::Scenario scenario = support::one_service({1});
  LatencyTimeline timeline(scenario, 1s);
  for (const auto outcome : {scenario::Outcome::timeout, scenario::Outcome::no_healthy_upstream,
                             scenario::Outcome::overflow, scenario::Outcome::connect_failure}) {
    run::TracedRequest request = answered(1s, 1s);
    request.outcome = outcome;
    timeline.add(request);
  }
  CHECK(timeline.stretches().empty());
}

TEST_CASE("ejected hosts are a mean over the client's proxies") {
  scenario::Scenario scenario = support::one_service({4});
  scenario.clients.front().count = 2;
  run::Results results = with_epoch(scenario);
  results.ejections = {
      {2s, {0}, {0}, {0}, true}, {4s, {0}, {0}, {1}, true}, {6s, {0}, {0}, {0}, false}, {8s, {0}, {0}, {1}, false}};
  const auto stretches = ejected_hosts(scenario, results, config::ClientEntryIndex{0}, {0}, 1ms);
  REQUIRE(stretches.size() == 3);
  CHECK(stretches[0].begin == 2s);
  CHECK(stretches[0].end == 4s);
  CHECK(stretches[0].hosts == 0.5);
  CHECK(stretches[1].hosts == 1.0);
  CHECK(stretches[2].hosts == 0.5);
  CHECK(stretches[2].end == 8s);
}

TEST_CASE("a stretch of ejections that is coarser than they are has the highest number within") {
  scenario::Scenario scenario = support::one_service({4});
  run::Results results = with_epoch(scenario);
  results.ejections = {{2s, {0}, {0}, {0}, true}, {2500ms, {0}, {0}, {1}, true}, {2600ms, {0}, {0}, {1}, false}};
  const auto stretches = ejected_hosts(scenario, results, {}, {0}, 5s);
  REQUIRE(stretches.size() == 1);
  CHECK(stretches[0].hosts == 2.0);
  CHECK(ejected_hosts(scenario, with_epoch(scenario), {}, {0}, 5s).empty());
}
