#include "sim/run/exact/slow_start_clock.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "sim/run/run.hpp"
#include "sim/statistics/goodness_of_fit.hpp"
#include "tests/sim/scenario/reading.hpp"

namespace spillway {

using Catch::Detail::Approx;
using namespace std::chrono_literals;

namespace {

// A host comes to three others after 20 s; the window is 40 s. docs/behaviour/envoy-host-pick.md 9: it has a tenth of
// its weight for 4 s, then as much of it as of the window is over.
std::string newcomer(const std::string& policy, const std::string& workload, const std::string& more = "") {
  return "duration: 90s\nseed: 5\nzones: [{ name: a, nodes: [{ name: n, count: 2 }] }]\n"
         "clusters: [{ name: s, " +
         policy +
         " }]\n"
         "services: [{ name: s, endpoints: [{ count: 3, zone: a }] }]\n"
         "clients: [{ name: c, zone: a, " +
         more + "workload: { service: s, " + workload +
         " } }]\n"
         "timeline: [{ at: 20s, add: [{ id: new, zone: a }] }]\n";
}

const std::string round_robin = "round_robin_lb_config: { slow_start_config: { slow_start_window: 40s } }";

struct OfRow {
  double start = 0.0;
  double end = 0.0;
  std::map<std::string, std::optional<double>> exact = {};
  std::map<std::string, std::uint64_t> counted = {};
};

std::vector<OfRow> rows_of(const std::string& text, scenario::Mode mode, std::vector<run::Nanoseconds> cuts) {
  run::Options options;
  options.mode = mode;
  options.cuts = std::move(cuts);
  const run::Results results = run::run(scenario::test::accepted(text), options);
  std::vector<OfRow> rows(results.epochs.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    rows[row].start = static_cast<double>(results.epochs[row].start.count()) * 1e-9;
    rows[row].end = static_cast<double>(results.epochs[row].end.count()) * 1e-9;
  }
  for (const run::Share& share : results.shares) {
    rows[share.epoch].exact[share.endpoint] = share.exact;
    rows[share.epoch].counted[share.endpoint] = share.requests.value_or(0);
  }
  return rows;
}

// The mean of w / (3 + w) over a stretch of the window, w growing from `first` to `last` by even steps: the integral is
// 1 - 3 ln((3 + last) / (3 + first)) / (last - first).
double mean_share(double first, double last) {
  return 1.0 - 3.0 * std::log((3.0 + last) / (3.0 + first)) / (last - first);
}

const std::vector<run::Nanoseconds> cuts{22s, 24s, 30s, 40s, 50s, 60s, 70s};

void check_shares(const std::vector<OfRow>& rows) {
  REQUIRE(rows.size() == 9);
  const std::vector<double> wanted{
      0.1 / 3.1, 0.1 / 3.1, mean_share(0.1, 0.25), mean_share(0.25, 0.5), mean_share(0.5, 0.75), mean_share(0.75, 1.0),
      0.25,      0.25};
  for (std::size_t row = 1; row < rows.size(); ++row) {
    CAPTURE(rows[row].start, rows[row].end);
    REQUIRE(rows[row].exact.at("new").has_value());
    CHECK(*rows[row].exact.at("new") == Approx(wanted[row - 1]).epsilon(1e-4));
    CHECK(*rows[row].exact.at("s-1") == Approx((1.0 - wanted[row - 1]) / 3.0).epsilon(1e-4));
  }
}

double chance_of(const OfRow& row) {
  std::vector<statistics::Category> categories;
  for (const auto& [name, share] : row.exact) {
    categories.push_back({row.counted.at(name), share.value()});
  }
  return statistics::chance_of_counts(categories);
}

}  // namespace

TEST_CASE("slices within slow start have the share of the weights that grow through them", "[slow_start]") {
  check_shares(rows_of(newcomer(round_robin, "rate: 2000rps"), scenario::Mode::exact, cuts));
  check_shares(rows_of(newcomer(round_robin, "rate: 2000rps"), scenario::Mode::requests, cuts));
}

TEST_CASE("a row over all of slow start and what follows has one share, the mean over its requests", "[slow_start]") {
  const std::vector<OfRow> rows = rows_of(newcomer(round_robin, "rate: 2000rps"), scenario::Mode::requests, {});
  REQUIRE(rows.size() == 2);
  const double wanted = (4.0 * 0.1 / 3.1 + 36.0 * mean_share(0.1, 1.0) + 30.0 * 0.25) / 70.0;
  CHECK(rows[1].exact.at("new").value() == Approx(wanted).epsilon(1e-4));
}

TEST_CASE("counts fit the shares of slow start, under round robin and least request", "[slow_start]") {
  const std::vector<std::string> policies = {
      round_robin,
      "round_robin_lb_config: { slow_start_config: { slow_start_window: 40s, aggression: { default_value: 2.5, "
      "runtime_key: k }, min_weight_percent: { value: 1 } } }",
      "lb_policy: LEAST_REQUEST, least_request_lb_config: { slow_start_config: { slow_start_window: 40s } }"};
  const std::vector<std::string> workloads = {"rate: 600rps", "rate: 400rps, arrivals: periodic",
                                              "phases: \"300rps 30s, 700rps 30s, 400rps\""};
  const std::string policy = policies.at(static_cast<std::size_t>(GENERATE(0, 1, 2)));
  const std::string workload = workloads.at(static_cast<std::size_t>(GENERATE(0, 1, 2)));
  const std::string more = GENERATE(0, 1) == 0 ? "" : "count: 4, concurrency: 2, ";
  CAPTURE(policy, workload, more);
  const std::vector<OfRow> rows = rows_of(newcomer(policy, workload, more), scenario::Mode::requests, cuts);
  std::size_t judged = 0;
  for (std::size_t row = 1; row < rows.size(); ++row) {
    CAPTURE(rows[row].start, rows[row].end);
    if (rows[row].exact.at("new")) {
      CHECK(chance_of(rows[row]) > 1e-6);
      ++judged;
    }
  }
  CHECK(judged >= 5);
}

TEST_CASE("the weights that the window began with do not fit what is counted later", "[slow_start]") {
  OfRow row = rows_of(newcomer(round_robin, "rate: 2000rps"), scenario::Mode::requests, cuts).at(5);
  REQUIRE(chance_of(row) > 1e-6);
  for (auto& [name, share] : row.exact) {
    share = name == "new" ? 0.1 / 3.1 : 1.0 / 3.1;
  }
  CHECK(chance_of(row) < 1e-6);
}

TEST_CASE("many proxies that pick seldom lag behind slow start: their rows have no exact share", "[slow_start]") {
  const std::vector<OfRow> rows =
      rows_of(newcomer(round_robin, "rate: 4rps", "count: 500, "), scenario::Mode::requests, {40s, 60s});
  REQUIRE(rows.size() == 4);
  CHECK_FALSE(rows[1].exact.at("new"));
  // Each of them picks the new host a few times in these 20 s, always by a weight of before: fewer than by its weights.
  const double counted = static_cast<double>(rows[1].counted.at("new"));
  CHECK(counted < 0.97 * 40000.0 * (4.0 * 0.1 / 3.1 + 16.0 * mean_share(0.1, 0.5)) / 20.0);
  CHECK(rows[3].exact.at("new") == 0.25);
}

TEST_CASE("checks of a proxy's own, users and recorded requests leave slow start without an exact share",
          "[slow_start]") {
  const std::string checks =
      "health_checks: [{ timeout: 1s, interval: 5s, unhealthy_threshold: 2, healthy_threshold: 1, "
      "http_health_check: { path: / } }], ";
  const std::string checked = newcomer(checks + round_robin, "rate: 500rps");
  const std::string users = newcomer(round_robin, "users: 20, think_time: 10ms");
  for (const std::string& text : {checked, users}) {
    CAPTURE(text);
    const std::vector<OfRow> rows = rows_of(text, scenario::Mode::requests, {40s});
    REQUIRE(rows.size() == 3);
    CHECK_FALSE(rows[1].exact.at("s-1"));
  }
}

TEST_CASE("a schedule lags by half of the logarithm of what a weight grew by", "[slow_start]") {
  CHECK(run::lag_of_schedule(0.1, 1.0, 1e6) == Approx(std::log(10.0) / 2.0).epsilon(1e-3));
  CHECK(run::lag_of_schedule(0.1, 1.0, 1.0) == Approx(4.5));
  CHECK(run::lag_of_schedule(1.0, 1.0, 100.0) == 0.0);
}

}  // namespace spillway
