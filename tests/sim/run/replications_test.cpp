#include "sim/run/replications.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/run/records/results_bytes.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace std::chrono_literals;
using namespace spillway;
using run::Results;
using support::one_service;

namespace {

scenario::Scenario random_service() {
  scenario::Scenario scenario = one_service({5, 5});
  scenario.services[0].cluster.lb_policy = envoy::policies::random::Config{};
  scenario.changes.push_back(support::tell(5s, 0, 5, 2));
  return scenario;
}

}  // namespace

TEST_CASE("half the width of an interval is Student's quantile times the standard error") {
  // A textbook's ten values: mean 10, standard deviation sqrt(2 / 9) for five 9.5 and five 10.5 around it.
  const std::vector<double> ten{9.5, 10.5, 9.5, 10.5, 9.5, 10.5, 9.5, 10.5, 9.5, 10.5};
  CHECK(run::half_width_95(ten) == Approx(2.262157 * std::sqrt(2.5 / 9.0 / 10.0)).epsilon(1e-6));
  CHECK(run::half_width_95(std::vector<double>{1.0}) == 0.0);
  CHECK(run::half_width_95(std::vector<double>{3.0, 3.0, 3.0}) == 0.0);
  // t(99; 0.975) = 1.984217 by tables.
  std::vector<double> hundred(100, 1.0);
  hundred[0] = 2.0;
  const double deviation = std::sqrt((0.99 * 0.99 + 99 * 0.01 * 0.01) / 99.0);
  CHECK(run::half_width_95(hundred) == Approx(1.984217 * deviation / 10.0).epsilon(1e-6));
}

TEST_CASE("results survive their way through a process") {
  const Results results = run::run(random_service(), {});
  const std::string bytes = run::results_to_bytes(results);
  const Results same = run::results_from_bytes(bytes);
  CHECK(run::results_to_bytes(same).size() == bytes.size());
  CHECK(same.result_fingerprint == results.result_fingerprint);
  REQUIRE(same.shares.size() == results.shares.size());
  CHECK(same.shares.back().endpoint == results.shares.back().endpoint);
  CHECK(same.shares.back().exact == results.shares.back().exact);
  CHECK(same.epochs.back().health->label == results.epochs.back().health->label);
  CHECK(same.epochs.back().health->reported == results.epochs.back().health->reported);
  CHECK(same.latency.back().p99 == results.latency.back().p99);
}

TEST_CASE("replications add up, and are the same for one job and for two") {
  const scenario::Scenario scenario = random_service();
  const Results one = run::replicate(scenario, {}, {.count = 6, .jobs = 1}).results.value();
  const auto two = run::replicate(scenario, {}, {.count = 6, .jobs = 2}).results.value();
  const auto alone = run::run(scenario, {});
  CHECK(one.replications == 6);
  CHECK(one.result_fingerprint == two.result_fingerprint);
  CHECK(one.result_fingerprint != alone.result_fingerprint);
  REQUIRE(one.shares.size() == two.shares.size());
  double requests = 0.0;
  for (std::size_t row = 0; row < one.shares.size(); ++row) {
    CHECK(one.shares[row].requests == two.shares[row].requests);
    CHECK(one.shares[row].simulated == two.shares[row].simulated);
    CHECK(one.shares[row].ci95 == two.shares[row].ci95);
    CHECK(one.shares[row].endpoint == two.shares[row].endpoint);
    CHECK(one.shares[row].exact == alone.shares[row].exact);
    CHECK(one.shares[row].endpoint == alone.shares[row].endpoint);
    requests += static_cast<double>(one.shares[row].requests.value());
  }
  CHECK(requests == static_cast<double>(one.outcomes[0].sent + one.outcomes[1].sent));
  CHECK(one.outcomes[0].sent > 5 * alone.outcomes[0].sent);
  CHECK(one.latency[0].max == alone.latency[0].max);
}

TEST_CASE("an interval has a width wherever draws decide, though replications may agree by chance") {
  for (const std::uint32_t count : {2U, 3U, 5U}) {
    const Results all = run::replicate(random_service(), {}, {.count = count, .jobs = 1}).results.value();
    for (const run::Share& share : all.shares) {
      CHECK((share.ci95.value() > 0.0 || share.exact.value() == 0.0 || share.exact.value() == 1.0));
    }
  }
}

TEST_CASE("confidence intervals of replications cover the exact shares as often as they say") {
  // 200 experiments of five replications: the number of intervals that miss is binomial with 5 %. Between 1 and 24
  // with a probability of all but 1e-4.
  const scenario::Scenario scenario = random_service();
  int missed = 0;
  for (std::uint64_t experiment = 0; experiment < 200; ++experiment) {
    std::vector<Results> all;
    for (std::uint64_t number = 0; number < 5; ++number) {
      all.push_back(run::run(scenario, {.mode = {}, .seed = 1000 * experiment + number, .progress = {}}));
    }
    const run::Share share = run::summarise(all).shares[0];
    missed += std::abs(share.simulated.value() - share.exact.value()) > share.ci95.value() ? 1 : 0;
  }
  CHECK(missed >= 1);
  CHECK(missed <= 24);
}

TEST_CASE("replications until their intervals are narrow are as many as that takes, whatever the number of jobs") {
  const scenario::Scenario scenario = random_service();
  const Results one = run::replicate(scenario, {}, {.count = 500, .jobs = 1, .until_ci95 = 0.003}).results.value();
  const Results two = run::replicate(scenario, {}, {.count = 500, .jobs = 2, .until_ci95 = 0.003}).results.value();
  CHECK(run::widest_ci95(one) <= 0.003);
  CHECK(one.replications > 4);
  CHECK(one.replications < 500);
  CHECK(two.replications == one.replications);
  CHECK(two.result_fingerprint == one.result_fingerprint);
  const Results as_many = run::replicate(scenario, {}, {.count = one.replications}).results.value();
  CHECK(as_many.result_fingerprint == one.result_fingerprint);
  CHECK(run::widest_ci95(as_many) == run::widest_ci95(one));
  const Results fewer = run::replicate(scenario, {}, {.count = one.replications / 2}).results.value();
  CHECK(run::widest_ci95(fewer) > 0.003);
}

TEST_CASE("replications that never get precise end at the most that there may be") {
  const auto results = run::replicate(random_service(), {}, {.count = 6, .until_ci95 = 1e-9}).results.value();
  CHECK(results.replications == 6);
  CHECK(run::widest_ci95(results) > 1e-9);
}

TEST_CASE("percentiles of many short runs are those of all their requests") {
  // Exponential answers of 10 ms, one a second: p99 is 10 ms times ln 100. Of twenty requests a run has no p99 of its
  // own.
  const scenario::Reading reading = scenario::read_scenario_text(
      "rare.yaml",
      "duration: 20s\nmode: requests\nzones: [{ name: z }]\n"
      "services: [{ name: s, endpoints: [{ zone: z, service_time: { mean: 10ms, distribution: exponential } }] }]\n"
      "clients: [{ name: c, zone: z, workload: { service: s, rate: 1rps } }]\n");
  REQUIRE(reading.scenario);
  const Results all = run::replicate(*reading.scenario, {}, {.count = 400, .jobs = 1}).results.value();
  REQUIRE(all.whole_latency.size() == 1);
  const run::LatencyQuantiles& ok = all.whole_latency.front().ok;
  CHECK(ok.answers > 7'500);
  // The share of requests beyond it is binomial: five standard deviations of 1 % of 8,000 are 0.56 points, and p99
  // moves by 10 ms times their part of it.
  CHECK(ok.p99 == Approx(0.010 * std::log(100.0)).margin(0.0065));
  CHECK(ok.p50 == Approx(0.010 * std::log(2.0)).margin(0.0006));
  CHECK(ok.p999 > ok.p99);
  CHECK(ok.max >= ok.p999);
}
