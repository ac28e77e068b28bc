// Parts that are simulated side by side give what the run as one gives, to the last byte of JSON.
#include "sim/run/parts/side_by_side.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/documents/render_diagnostics.hpp"
#include "models/kuma/load_assignment.hpp"
#include "reports/formats.hpp"
#include "reports/shares/group_by.hpp"
#include "sim/run/fork_pool.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/support/draws.hpp"

using namespace std::chrono_literals;
using namespace spillway;

namespace {

// Several services that have nothing to do with each other, with clients that do not stand in their order.
class SeveralServices {
 public:
  explicit SeveralServices(std::uint64_t seed) : draws_(seed) {}

  std::string text() {
    const std::uint64_t services = 2 + draws_() % 4;
    std::string text = "duration: 6s\nzones: [{ name: a }, { name: b }]\nlinks: [{ between: [a, b], latency: 2ms" +
                       one_of({"", ", jitter: 1ms"}) + " }]\nservices:\n";
    for (std::uint64_t number = 0; number < services; ++number) {
      text += "  - { name: " + name(number) + ", endpoints: [" + group("a", "0") + ", " +
              group("b", one_of({"0", "1"})) + "] }\n";
    }
    text += "clusters:\n";
    for (std::uint64_t number = 0; number < services; ++number) {
      text += cluster(number);
    }
    text += "routes:\n";
    for (std::uint64_t number = 0; number < services; ++number) {
      text += "  - match: { prefix: /" + name(number) + " }\n    route: { cluster: " + name(number) + ", timeout: 2s" +
              one_of({"", ", retry_policy: { retry_on: 5xx, num_retries: 2 }"}) + " }\n";
    }
    text += "clients:\n";
    for (std::uint64_t number = 0; number < 2 * services; ++number) {
      text += client(number, (number * 7 + 1) % services);
    }
    text += "timeline:\n  - { at: 4.5s, zone: b, outage: true }\n";
    for (std::uint64_t number = 0; number < 2 * services; ++number) {
      text += event(draws_() % services);
    }
    return text;
  }

 private:
  std::string one_of(const std::vector<std::string>& texts) { return texts[draws_() % texts.size()]; }
  static std::string name(std::uint64_t number) { return "s" + std::to_string(number); }

  std::string group(const std::string& zone, const std::string& priority) {
    return "{ count: " + one_of({"2", "3", "5"}) + ", zone: " + zone + ", priority: " + priority +
           ", service_time: " + one_of({"2ms", "20ms", "{ mean: 10ms, distribution: exponential }"}) +
           one_of({"", "", ", cores: 2", ", cores: 1, queue: 3"}) + " }";
  }

  std::string cluster(std::uint64_t number) {
    return "  - { name: " + name(number) +
           ", lb_policy: " + one_of({"ROUND_ROBIN", "LEAST_REQUEST", "RANDOM", "LEAST_REQUEST"}) +
           one_of({"",
                   ", outlier_detection: { consecutive_5xx: 3, interval: 1s, base_ejection_time: 1s, "
                   "max_ejection_percent: 50 }"}) +
           one_of({"", "",
                   ", health_checks: [{ timeout: 0.1s, interval: 1s, unhealthy_threshold: 1, "
                   "healthy_threshold: 1, http_health_check: { path: / } }]"}) +
           one_of({"", "", ", circuit_breakers: { thresholds: [{ max_requests: 8 }] }"}) + " }\n";
  }

  std::string client(std::uint64_t number, std::uint64_t service) {
    return "  - { name: c" + std::to_string(number) + ", zone: " + one_of({"a", "b"}) +
           one_of({"", ", count: 3", ", concurrency: 2"}) + ", workload: { path: /" + name(service) + ", " +
           one_of({"rate: 300rps", "rate: 500rps", "rate: 200rps, arrivals: periodic", "users: 20, think_time: 50ms",
                   "phases: \"100rps 3s, 600rps\""}) +
           " } }\n";
  }

  std::string event(std::uint64_t service) {
    const std::string head = "  - { at: " + one_of({"1s", "2s", "3s", "3.5s"}) + ", service: " + name(service) + ", ";
    return head +
           one_of({"priority: 0, healthy: 1", "priority: 0, healthy: 100%",
                   "endpoints: [" + name(service) + "-1], outage: true",
                   "endpoints: [" + name(service) + "-2], fails: 60%, fails_with: 503",
                   "endpoints: [" + name(service) + "-2], fails: 0%"}) +
           " }\n";
  }

  support::Draws draws_;
};

scenario::Scenario drawn(std::uint64_t number) {
  const std::string text = SeveralServices(2026'11'23'000 + number).text();
  scenario::Reading reading = scenario::read_scenario_text("drawn.yaml", text);
  if (!reading.scenario) {
    throw std::runtime_error(documents::render_diagnostics(reading.diagnostics, reading.sources) + text);
  }
  return *std::move(reading.scenario);
}

run::Options all_measures() {
  return {.mode = std::nullopt,
          .seed = std::nullopt,
          .endpoint_loads = true,
          .sample = 700ms,
          .latency_limits = {10ms, 30ms},
          .logged_events = run::EventLog::Options{}};
}

std::string json_of(const scenario::Scenario& scenario, const run::Results& results) {
  const reports::Report report{
      .scenario = scenario, .results = results, .warnings = {}, .verdicts = {}, .failures = {}, .each_event = true};
  std::string text = reports::format(report, reports::Format::json, reports::Dimensions::everything(), {});
  // What JSON leaves out.
  for (const run::Ejection& ejection : results.ejections) {
    text += fmt::format("{} {} {} {}\n", ejection.at.count(), ejection.client.value, ejection.endpoint.value,
                        ejection.ejected);
  }
  for (const run::CheckedHealth& checked : results.checked) {
    text += fmt::format("{} {} {}\n", checked.at.count(), checked.client.value, checked.endpoint.value);
  }
  for (const run::WithinLimit& within : results.within) {
    text += fmt::format("{} {} {} {} {}\n", within.client.value, within.epoch, within.limit, within.answers,
                        fmt::join(within.cells, " "));
  }
  return text;
}

std::string simulated(std::uint64_t number, const run::Options& options, std::size_t jobs) {
  const scenario::Scenario scenario = drawn(number);
  const run::SideBySide result = run::run_side_by_side(scenario, options, {.jobs = jobs, .least_requests = 0.0});
  return json_of(scenario, result.results.value());
}

}  // namespace

TEST_CASE("several services have the same results for any number of jobs", "[unsanitized]") {
  constexpr std::size_t scenarios = 60;
  const auto all = [](std::size_t jobs) {
    // A process each, since a process has one world with links in it.
    return run::fork_map(scenarios, 2, [&](std::size_t number) {
      run::Options options = all_measures();
      if (number % 3 == 1) {
        options.cuts = {1500ms, 4s};
        options.measured_from = 800ms;
      }
      if (number % 4 == 1) {
        options.logged_events->most = 25;
      }
      return simulated(number, options, jobs);
    });
  };
  const auto one = all(1);
  const auto two = all(2);
  const auto many = all(7);
  std::size_t ejections = 0;
  for (std::size_t number = 0; number < scenarios; ++number) {
    INFO("scenario " << number << ": " << one[number].failure << two[number].failure << many[number].failure);
    REQUIRE((one[number].succeeded && two[number].succeeded && many[number].succeeded));
    CHECK(two[number].bytes == one[number].bytes);
    CHECK(many[number].bytes == one[number].bytes);
    ejections += one[number].bytes.find("\"ejected\"") != std::string::npos ? 1 : 0;
  }
  CHECK(ejections > scenarios / 10);
}

TEST_CASE("the filter of happenings is asked about the clients of the whole scenario") {
  const auto kept = run::fork_map(2, 1, [](std::size_t number) {
    run::Options options = all_measures();
    options.logged_events->keeps = [](const run::EventRecord& record) {
      return !record.change && record.client.value >= 3;
    };
    return simulated(7, options, 1 + 3 * number);
  });
  REQUIRE((kept[0].succeeded && kept[1].succeeded));
  CHECK(kept[0].bytes == kept[1].bytes);
}

TEST_CASE("a part that ends by itself is a failure of the run") {
  run::Options options = all_measures();
  options.counted_positions = [](config::ServiceIndex, const run::SharePlaces&) -> std::vector<std::uint32_t> {
    throw std::runtime_error("no positions");
  };
  const run::SideBySide result = run::run_side_by_side(drawn(3), options, {.jobs = 2, .least_requests = 0.0});
  CHECK_FALSE(result.results);
  CHECK(result.failure == "a part of the run: no positions");
}

TEST_CASE("the progress of parts is told as one") {
  run::Options options = all_measures();
  std::vector<run::Nanoseconds> reported;
  options.progress = [&](run::Nanoseconds reached, run::Nanoseconds duration) {
    CHECK(duration == 6s);
    reported.push_back(reached);
  };
  CHECK(run::run_side_by_side(drawn(5), options, {.jobs = 2, .least_requests = 0.0}).results);
  REQUIRE_FALSE(reported.empty());
  CHECK(std::is_sorted(reported.begin(), reported.end()));
  CHECK(reported.back() == 6s);
}

TEST_CASE("what is told as it happens is told of one run") {
  const scenario::Scenario scenario = drawn(2);
  run::Options options = all_measures();
  std::uint64_t traced = 0;
  options.trace = [&](const run::TracedRequest& /*request*/) { ++traced; };
  const run::Results results =
      run::run_side_by_side(scenario, options, {.jobs = 3, .least_requests = 0.0}).results.value();
  std::uint64_t sent = 0;
  for (const run::Outcomes& row : results.outcomes) {
    sent += row.sent;
  }
  CHECK(traced == sent);
}

TEST_CASE("there is a core, and room for a small scenario") {
  CHECK(run::permitted_cores() >= 1);
  const std::size_t jobs = run::sensible_jobs(drawn(1));
  CHECK(jobs >= 1);
  CHECK(jobs <= run::permitted_cores());
}
