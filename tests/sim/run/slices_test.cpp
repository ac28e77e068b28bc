// Rows that begin at further moments: they move no request, and add up to the epochs.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "sim/engine/latency_histogram.hpp"
#include "sim/run/run.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace std::chrono_literals;

namespace {

run::Results sliced(const std::string& text, std::vector<run::Nanoseconds> cuts) {
  run::Options options;
  options.mode = scenario::Mode::requests;
  options.endpoint_loads = true;
  options.cuts = std::move(cuts);
  return run::run(scenario::test::accepted(text), options);
}

// Hosts of a fail half of their requests for a while; everything is slow enough to be under way at a cut.
const std::string failing =
    "duration: 60s\nzones: [{ name: a }, { name: b }]\n"
    "services: [{ name: s, endpoints: [{ count: 3, zone: a, service_time: 300ms, cores: 9 }, { count: 3, zone: b, "
    "priority: 1, service_time: 20ms }] }]\n"
    "clusters: [{ name: s, outlier_detection: { interval: 5s, base_ejection_time: 10s, max_ejection_percent: 100 } }]\n"
    "clients: [{ name: c, zone: a, count: 2, workload: { service: s, rate: 20rps } }]\n"
    "timeline: [{ at: 20s, zone: a, fails: 50% }, { at: 40s, zone: a, fails: 0% }]\n";

const std::string without_failures =
    "duration: 20s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 3, zone: a, service_time: 10ms }] "
    "}]\n"
    "clients: [{ name: c, zone: a, workload: { service: s, rate: 50rps } }]\n";

template <class Row>
std::uint64_t sum(const std::vector<Row>& rows, std::uint64_t Row::* count) {
  std::uint64_t all = 0;
  for (const Row& row : rows) {
    all += row.*count;
  }
  return all;
}

std::uint64_t sum(const std::vector<run::Outcomes>& rows, scenario::Outcome outcome) {
  std::uint64_t all = 0;
  for (const run::Outcomes& row : rows) {
    all += row[outcome];
  }
  return all;
}

}  // namespace

TEST_CASE("cuts draw nothing, and the counts of their rows add up to those of the epochs", "[slices]") {
  for (const std::string& text : {failing, without_failures}) {
    const run::Results whole = sliced(text, {});
    const run::Results slices = sliced(text, {5s, 7500ms, 12s});
    CHECK(slices.result_fingerprint == whole.result_fingerprint);
    CHECK(whole.epochs.size() == 1);
    REQUIRE(slices.epochs.size() == 4);
    CHECK(slices.epochs[1].start == 5s);
    CHECK(slices.epochs[1].end == 7500ms);
    CHECK(slices.epochs[3].end == whole.epochs[0].end);
    using run::Outcomes;
    for (std::uint64_t Outcomes::* const count : {&Outcomes::sent, &Outcomes::retries}) {
      CHECK(sum(slices.outcomes, count) == sum(whole.outcomes, count));
    }
    for (const auto outcome : {scenario::Outcome::ok, scenario::Outcome::upstream_error}) {
      CHECK(sum(slices.outcomes, outcome) == sum(whole.outcomes, outcome));
    }
    CHECK(sum(slices.latency, &run::Latency::answers) == sum(whole.latency, &run::Latency::answers));
    CHECK(sum(slices.endpoints, &run::EndpointLoad::requests) == sum(whole.endpoints, &run::EndpointLoad::requests));
  }
}

TEST_CASE("rows from event to event show what one row hides: traffic leaves a priority and comes back", "[slices]") {
  const run::Results slices = sliced(failing, {20s, 40s});
  REQUIRE(slices.epochs.size() == 3);
  std::vector<double> first_priority(3, 0.0);
  for (const run::Share& share : slices.shares) {
    first_priority[share.epoch] += share.priority == config::Priority{0} ? share.simulated.value_or(0.0) : 0.0;
  }
  CHECK(first_priority[0] == 1.0);
  // Every host of priority 0 is ejected within a second or so, and comes back at the earliest after 10 s.
  CHECK(first_priority[1] < 0.7);
  CHECK(first_priority[2] > first_priority[1]);
}

TEST_CASE("latency over the whole run is of one histogram, whatever the rows are", "[slices]") {
  const run::Results whole = sliced(failing, {});
  const run::Results slices = sliced(failing, {10s, 20s, 30s});
  REQUIRE(whole.whole_latency.size() == 1);
  REQUIRE(slices.whole_latency.size() == 1);
  const run::LatencyQuantiles& of = whole.whole_latency[0].ok;
  CHECK(of.answers == sum(whole.outcomes, scenario::Outcome::ok));
  CHECK(whole.whole_latency[0].errors.answers == sum(whole.outcomes, scenario::Outcome::upstream_error));
  CHECK(of.p50 == slices.whole_latency[0].ok.p50);
  CHECK(of.p999 == slices.whole_latency[0].ok.p999);
  CHECK(of.max == slices.whole_latency[0].ok.max);
  // Most answers come of priority 0 without waiting, and take 300 ms; some wait while most of it is ejected.
  CHECK(of.p50 == Approx(0.3).epsilon(0.01));
  CHECK(whole.whole_latency[0].errors.p50 == Approx(0.3).epsilon(0.01));
  CHECK(of.p50 <= of.p90);
  CHECK(of.p90 <= of.p99);
  CHECK(of.p99 <= of.p999);
  CHECK(of.p999 <= of.max * 1.01);
}

TEST_CASE("histograms add up", "[slices]") {
  engine::LatencyHistogram one;
  engine::LatencyHistogram other;
  engine::LatencyHistogram both;
  for (int number = 1; number <= 1000; ++number) {
    const auto duration = std::chrono::microseconds{number * number};
    (number % 3 == 0 ? one : other).add(duration);
    both.add(duration);
  }
  one.add(other);
  CHECK(one.total() == both.total());
  CHECK(one.maximum() == both.maximum());
  for (const double fraction : {0.5, 0.9, 0.99, 0.999}) {
    CHECK(one.quantile(fraction) == both.quantile(fraction));
  }
}

TEST_CASE("what the author lets happen is logged at its time, in mode exact too", "[slices]") {
  const std::string text =
      "duration: 60s\nzones: [{ name: a, nodes: [{ name: n, count: 2 }] }, { name: b }]\n"
      "links: [{ between: [a, b], latency: 1ms }]\n"
      "services: [{ name: s, endpoints: [{ count: 4, zone: a }, { count: 1, zone: b }] }]\n"
      "clients: [{ name: c, zone: a, workload: { service: s, phases: \"5rps 30s, 10rps\" } }]\n"
      "timeline:\n"
      "  - { at: 5s, zone: b, healthy: 0 }\n"
      "  - { at: 10s, zone: a, fails: 50% }\n"
      "  - { at: 15s, zone: a, outage: true }\n"
      "  - { at: 20s, link: [a, b], latency: 9ms }\n"
      "  - { at: 25s, zone: a, slow: 3 }\n"
      "  - { at: 40s, add: [{ count: 1, zone: b }] }\n";
  for (const scenario::Mode mode : {scenario::Mode::exact, scenario::Mode::requests}) {
    run::Options options;
    options.mode = mode;
    options.logged_events.emplace();
    std::vector<std::pair<run::Nanoseconds, run::EventKind>> found;
    for (const run::EventGroup& group : run::run(scenario::test::accepted(text), options).logged_events.groups) {
      if (group.first.change) {
        found.emplace_back(group.first.at, group.first.kind);
      }
    }
    using enum run::EventKind;
    // Both nodes of a at once are one, and an endpoint that is told to be there is there.
    const std::vector<std::pair<run::Nanoseconds, run::EventKind>> wanted{
        {5s, health_reported}, {10s, fails},        {15s, node_outage_began}, {20s, link_changed},
        {25s, slow},           {30s, rate_changed}, {40s, endpoints_added}};
    CHECK(found == wanted);
  }
}

TEST_CASE("slow start ends in the log when its window is over", "[slices]") {
  const std::string text =
      "duration: 60s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 2, zone: a }] }]\n"
      "clusters: [{ name: s, round_robin_lb_config: { slow_start_config: { slow_start_window: 10s } } }]\n"
      "clients: [{ name: c, zone: a, workload: { service: s, rate: 5rps } }]\n"
      "timeline: [{ at: 20s, add: [{ count: 1, zone: a }] }, { at: 25s, add: [{ count: 1, zone: a }] }]\n";
  run::Options options;
  options.mode = scenario::Mode::requests;
  options.logged_events.emplace();
  std::vector<run::Nanoseconds> began;
  std::vector<run::Nanoseconds> ended;
  for (const run::EventRecord& record : run::run(scenario::test::accepted(text), options).logged_events.each) {
    if (record.kind == run::EventKind::slow_start_began) {
      began.push_back(record.at);
    } else if (record.kind == run::EventKind::slow_start_ended) {
      ended.push_back(record.at);
    }
  }
  CHECK(began == std::vector<run::Nanoseconds>{20s, 25s});
  CHECK(ended == std::vector<run::Nanoseconds>{35s});
}
