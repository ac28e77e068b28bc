// How long a request can stay at a queue: bounds against what queueing theory says.
#include "sim/run/exact/stay_bound.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "sim/engine/service_time.hpp"
#include "tests/support/draws.hpp"

using namespace spillway;
using namespace std::chrono_literals;

namespace {

constexpr double surprise_of_bounds = 30.0;

run::Queue queue_with(double rate, std::chrono::nanoseconds mean, const scenario::ServiceVariation* variation,
                      const scenario::Servers& servers) {
  run::Queue queue{.servers = servers, .horizon = 60.0, .surprise = surprise_of_bounds};
  queue.open.add(rate, run::service_bound(mean, variation, surprise_of_bounds));
  return queue;
}

}  // namespace

TEST_CASE("one core with constant service times: the bound is that of Kingman, and close to the true quantile") {
  // 40 requests a second of 20 ms: 0.8 (e^u - 1) = u at u = 0.4303, and a wait of t has a chance of at most e^(-u t /
  // s).
  const double wait = surprise_of_bounds / 0.4303 * 0.02;
  const double bound = run::longest_stay(queue_with(40.0, 20ms, nullptr, {.cores = 1}));
  CHECK(bound >= wait + 0.02 - 1e-3);
  CHECK(bound <= 1.15 * wait + 0.02);
}

TEST_CASE("one core with exponential service times: the bound is above the exact quantile of M/M/1") {
  const scenario::ServiceVariation exponential{.distribution = scenario::ServiceDistribution::exponential};
  for (const double rate : {5.0, 25.0, 40.0, 47.0}) {
    const double exact = surprise_of_bounds / (50.0 - rate);
    const double fifo = run::longest_stay(queue_with(rate, 20ms, &exponential, {.cores = 1}));
    CHECK(fifo >= exact);
    CHECK(fifo <= 12.0 * exact);
  }
}

TEST_CASE("more than a queue can do has a bound as long as it lasts, and none where cores are shared") {
  // 60 requests a second of 20 ms for 60 s: 12 s of work more than is done.
  const double bound = run::longest_stay(queue_with(60.0, 20ms, nullptr, {.cores = 1}));
  CHECK(bound > 12.0);
  CHECK(bound < 24.0);
  CHECK(run::longest_stay(
            queue_with(60.0, 20ms, nullptr, {.cores = 1, .discipline = scenario::Discipline::processor_sharing})) ==
        std::numeric_limits<double>::infinity());
}

TEST_CASE("without requests nothing is waited for") {
  CHECK(run::longest_stay({.servers = {.cores = 2}, .horizon = 60.0, .surprise = surprise_of_bounds}) == 0.0);
}

TEST_CASE("users who wait for answers are at most as many as they are") {
  // 9 others of 10 ms each, and the request itself.
  const run::Queue queue{
      .population = 10.0, .longest_of_population = 0.01, .servers = {.cores = 1}, .surprise = surprise_of_bounds};
  CHECK(run::longest_stay(queue) >= 0.1);
  CHECK(run::longest_stay(queue) <= 0.12);
  CHECK_FALSE(run::may_exceed(queue, 0.1, 10));
  CHECK(run::may_exceed(queue, 0.1, 9));
}

TEST_CASE("a line that is long for what comes is not exceeded, and a short one may be") {
  const run::Queue queue = queue_with(10.0, 20ms, nullptr, {.cores = 1});
  const double stay = run::longest_stay(queue);
  CHECK_FALSE(run::may_exceed(queue, stay, 100));
  CHECK(run::may_exceed(queue, stay, 3));
  CHECK(run::may_exceed(queue, stay, 0));
}

TEST_CASE("the longest service time of each law is exceeded by no draw, and the mean square is that of the law") {
  using scenario::ServiceDistribution;
  const std::vector<scenario::ServiceVariation> distributions = {
      {.distribution = ServiceDistribution::exponential},
      {.distribution = ServiceDistribution::lognormal, .coefficient_of_variation = 2.0},
      {.distribution = ServiceDistribution::gamma, .coefficient_of_variation = 0.5},
      {.distribution = ServiceDistribution::gamma, .coefficient_of_variation = 2.0},
      {.distribution = ServiceDistribution::hyperexponential, .coefficient_of_variation = 2.0},
      {.distribution = ServiceDistribution::empirical, .measured = {{5ms, 3.0}, {25ms, 1.0}}},
  };
  for (const scenario::ServiceVariation& variation : distributions) {
    const run::ServiceBound bound = run::service_bound(10ms, &variation, surprise_of_bounds);
    const engine::ServiceTime distribution(10ms, variation);
    support::Draws draws(1);
    double most = 0.0;
    double sum = 0.0;
    double squares = 0.0;
    constexpr int times = 200000;
    for (int number = 0; number < times; ++number) {
      const double time = std::chrono::duration<double>(distribution(draws)).count();
      most = std::max(most, time);
      sum += time;
      squares += time * time;
    }
    INFO("law " << static_cast<int>(variation.distribution));
    CHECK(bound.longest >= most);
    CHECK(bound.mean == Approx(sum / times).epsilon(0.02));
    CHECK(bound.square == Approx(squares / times).epsilon(0.15));
  }
}
