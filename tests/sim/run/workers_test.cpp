// Workers of one proxy (Envoy's --concurrency): balancers of their own, everything else in common.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/run/proxies/connection_pool.hpp"
#include "sim/run/run.hpp"
#include "tests/support/confidence.hpp"
#include "tests/support/g_test.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace std::chrono_literals;
using namespace spillway;
using scenario::Scenario;

namespace {

Scenario with_workers(std::uint32_t concurrency, std::uint32_t hosts, const envoy::policies::Config& policy) {
  Scenario scenario = support::one_service({hosts});
  scenario.clients[0].concurrency = concurrency;
  scenario.services[0].cluster.lb_policy = policy;
  return scenario;
}

std::vector<std::uint64_t> requests_by_host(const Scenario& scenario) {
  std::vector<std::uint64_t> counts;
  for (const run::Share& share : run::run(scenario, {}).shares) {
    counts.push_back(share.requests.value());
  }
  return counts;
}

// Of each request but the first, whether it went to the host of the one before.
std::vector<double> repetitions(const Scenario& scenario) {
  std::vector<double> same;
  std::uint32_t before = UINT32_MAX;
  run::Options options;
  options.trace = [&](const run::TracedRequest& request) {
    const std::uint32_t host = request.destination->endpoint.value;
    if (before != UINT32_MAX) {
      same.push_back(host == before ? 1.0 : 0.0);
    }
    before = host;
  };
  (void)run::run(scenario, options);
  return same;
}

// Requests that nobody answers while it lasts: whatever was picked stays in flight.
Scenario unanswered(std::uint32_t concurrency, const envoy::policies::least_request::Config& policy) {
  Scenario scenario = with_workers(concurrency, 5, policy);
  scenario.clients[0].workload.arrivals = scenario::Arrivals::periodic;
  scenario.clients[0].workload.rate = 100.0;
  scenario.services[0].cluster.circuit_breakers.thresholds.push_back({.max_requests = 100'000});
  for (scenario::Endpoint& endpoint : scenario.endpoints) {
    endpoint.service_time = 14s;
  }
  return scenario;
}

}  // namespace

TEST_CASE("round robin by N workers strays from equality by less than N requests a host") {
  for (const std::uint32_t workers : {1U, 4U, 64U}) {
    const Scenario scenario = with_workers(workers, 5, envoy::policies::round_robin::Config{});
    const std::vector<std::uint64_t> counts = requests_by_host(scenario);
    std::uint64_t sent = 0;
    for (const std::uint64_t count : counts) {
      sent += count;
    }
    for (const std::uint64_t count : counts) {
      CHECK(std::abs(static_cast<double>(count) - static_cast<double>(sent) / 5.0) < workers);
    }
  }
}

TEST_CASE("workers' cursors of round robin know nothing of each other") {
  // The next request comes to another worker with 3/4, whose cursor stands anywhere among five.
  Scenario scenario = with_workers(4, 5, envoy::policies::round_robin::Config{});
  scenario.endpoints.front().service_time = 4ms;
  scenario.clients[0].workload.rate = 10'000.0;
  CHECK(support::batch_means(repetitions(scenario)).contains(0.75 / 5.0));
  scenario.clients[0].concurrency = 1;
  const std::vector<double> alone = repetitions(scenario);
  CHECK(std::count(alone.begin(), alone.end(), 1.0) == 0);
}

TEST_CASE("a full scan of least request sees what all workers have in flight") {
  // Nothing ends within the run, so the host with the fewest is always one that lacks its turn: 1,000 by 5.
  envoy::policies::least_request::Config policy;
  policy.selection_method = envoy::policies::least_request::SelectionMethod::full_scan;
  for (const std::uint32_t workers : {1U, 7U}) {
    const std::vector<std::uint64_t> counts = requests_by_host(unanswered(workers, policy));
    for (const std::uint64_t count : counts) {
      CHECK((count == 199 || count == 200));
    }
  }
}

TEST_CASE("the better of two hosts keeps their difference small, however many workers") {
  // n balls into n / c bins by the better of two: the fullest is at most log2(log2 n) + O(1) above the mean
  // (Azar et al. 1999), where random picks stray by the root of the mean.
  for (const std::uint32_t workers : {1U, 16U}) {
    for (const std::uint64_t count : requests_by_host(unanswered(workers, {}))) {
      CHECK(std::abs(static_cast<double>(count) - 200.0) < 6.0);
    }
  }
}

TEST_CASE("the circuit breaker counts the requests of all workers") {
  for (const std::uint32_t workers : {1U, 8U}) {
    Scenario scenario = with_workers(workers, 3, envoy::policies::random::Config{});
    scenario.clients[0].workload.arrivals = scenario::Arrivals::periodic;
    scenario.services[0].cluster.circuit_breakers.thresholds.push_back({.max_requests = 3});
    // 1,000 a second, 4 ms each: with three at a time one of four is turned away.
    const run::Outcomes outcomes = run::run(scenario, {}).outcomes[0];
    CHECK(std::abs(static_cast<double>(outcomes[scenario::Outcome::overflow]) -
                   static_cast<double>(outcomes.sent) / 4.0) <= 1.0);
  }
}

TEST_CASE("exact shares do not depend on workers, and random picks follow them") {
  Scenario scenario = with_workers(8, 4, envoy::policies::random::Config{});
  scenario.changes.push_back(support::tell(5s, 0, 4, 3));
  const run::Results results = run::run(scenario, {});
  scenario.clients[0].concurrency = 1;
  const run::Results alone = run::run(scenario, {});
  REQUIRE(results.shares.size() == alone.shares.size());
  std::vector<std::uint64_t> observed[2];
  std::vector<double> exact[2];
  for (std::size_t row = 0; row < results.shares.size(); ++row) {
    const run::Share& share = results.shares[row];
    CHECK(share.exact == alone.shares[row].exact);
    observed[share.epoch].push_back(share.requests.value());
    exact[share.epoch].push_back(share.exact.value());
  }
  for (const std::size_t epoch : {0U, 1U}) {
    CHECK(support::g_test(observed[epoch], exact[epoch]) > 1e-4);
  }
}

TEST_CASE("each worker may have one connection to a host, and the limit counts those of all") {
  config::CircuitBreakers limits;
  limits.thresholds.push_back({.max_connections = 2});
  health::CircuitBreaker breaker(limits, config::RoutingPriority::default_priority);
  using Start = run::ConnectionPool::Start;
  constexpr config::HostIndex host{0};
  run::ConnectionPool pool(1, 3, false);
  CHECK(pool.request(0, host, 1, breaker) == Start::now);
  CHECK(pool.request(0, host, 2, breaker) == Start::now);
  // The limit is reached, but the others have none yet.
  CHECK(pool.request(1, host, 3, breaker) == Start::now);
  CHECK(pool.request(2, host, 4, breaker) == Start::now);
  CHECK(breaker.count(health::Resource::connections) == 4);
  CHECK(pool.request(1, host, 5, breaker) == Start::waits);
  // A connection of another worker is no use to it.
  CHECK_FALSE(pool.release(0, host, false, breaker));
  CHECK(pool.release(1, host, false, breaker) == 5U);
}

TEST_CASE("a pool whose numbers are moved goes on with what it had, and leaves those beside them alone") {
  config::CircuitBreakers limits;
  limits.thresholds.push_back({.max_connections = 2});
  health::CircuitBreaker breaker(limits, config::RoutingPriority::default_priority);
  using Start = run::ConnectionPool::Start;
  constexpr config::HostIndex host{1};
  run::ConnectionPool pool(2, 2, false);
  CHECK(pool.request(1, host, 1, breaker) == Start::now);
  constexpr std::size_t stride = 8;
  std::vector<std::uint32_t> numbers(2 * stride, 77);
  pool.move_to(numbers.data() + 2, stride);
  CHECK(pool.request(1, host, 2, breaker) == Start::now);
  CHECK(pool.request(1, host, 3, breaker) == Start::waits);
  CHECK(pool.release(1, host, false, breaker) == 3U);
  CHECK(breaker.count(health::Resource::connections) == 2);
  CHECK(numbers[0] == 77);
  CHECK(numbers[stride + 1] == 77);
  CHECK(numbers[2 + run::ConnectionPool::numbers(2)] == 77);
}
