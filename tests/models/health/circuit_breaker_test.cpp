#include "models/health/circuit_breaker.hpp"

#include <catch2/catch.hpp>

using spillway::config::CircuitBreakers;
using spillway::config::CircuitBreakerThresholds;
using spillway::config::Percent;
using spillway::config::RetryBudget;
using spillway::config::RoutingPriority;
using spillway::health::CircuitBreaker;
using spillway::health::max_retries_of_budget;
using spillway::health::Resource;

namespace {

CircuitBreaker breaker_of(const CircuitBreakerThresholds& thresholds) {
  return {CircuitBreakers{.thresholds = {thresholds}}, RoutingPriority::default_priority};
}

}  // namespace

TEST_CASE("without a word a cluster may have 1024 connections, waiting and active requests, and 3 retries") {
  const CircuitBreaker breaker({}, RoutingPriority::high);
  CHECK(breaker.max(Resource::connections) == 1024);
  CHECK(breaker.max(Resource::pending_requests) == 1024);
  CHECK(breaker.max(Resource::requests) == 1024);
  CHECK(breaker.max(Resource::retries) == 3);
}

TEST_CASE("the first thresholds of a routing priority count") {
  const CircuitBreakers config{
      .thresholds = {{.priority = RoutingPriority::high, .max_requests = 1}, {.max_requests = 2}, {.max_requests = 3}}};
  CHECK(CircuitBreaker(config, RoutingPriority::default_priority).max(Resource::requests) == 2);
  CHECK(CircuitBreaker(config, RoutingPriority::high).max(Resource::requests) == 1);
}

TEST_CASE("a breaker is open while it is full") {
  CircuitBreaker breaker = breaker_of({.max_requests = 1});
  CHECK(breaker.can_create(Resource::requests));
  breaker.increase(Resource::requests);
  CHECK_FALSE(breaker.can_create(Resource::requests));
  breaker.decrease(Resource::requests);
  CHECK(breaker.can_create(Resource::requests));
}

TEST_CASE("a host may always have its first connection") {
  CircuitBreaker breaker = breaker_of({.max_connections = 0});
  CHECK(breaker.can_connect(0));
  CHECK_FALSE(breaker.can_connect(1));
  const CircuitBreakers per_host{.per_host_thresholds = {{.max_connections = 2}}};
  CircuitBreaker two(per_host, RoutingPriority::default_priority);
  CHECK(two.can_connect(1));
  CHECK_FALSE(two.can_connect(2));
}

TEST_CASE("a retry budget allows a part of the requests, and so many at least") {
  // Envoy's resource_manager_impl_test.cc and BudgetVerifyMinimumConcurrency.
  CHECK(max_retries_of_budget({}, 0, 0) == 3);
  CHECK(max_retries_of_budget({}, 20, 0) == 4);
  CHECK(max_retries_of_budget({}, 10, 9) == 3);
  CHECK(max_retries_of_budget({}, 30, 10) == 8);
  CHECK(max_retries_of_budget({Percent{0.0}, 0}, 100, 0) == 0);
  CircuitBreaker breaker = breaker_of({.max_retries = 100, .retry_budget = RetryBudget{Percent{50.0}, 1}});
  CHECK(breaker.max(Resource::retries) == 1);
  for (int request = 0; request < 4; ++request) {
    breaker.increase(Resource::requests);
  }
  CHECK(breaker.max(Resource::retries) == 2);
}

TEST_CASE("a retry budget that says nothing leaves max_retries alone") {
  CHECK(breaker_of({.max_retries = 7, .retry_budget = RetryBudget{}}).max(Resource::retries) == 7);
}

TEST_CASE("thresholds of a host know connections only") {
  CHECK(refusal(CircuitBreakers{.per_host_thresholds = {{.max_requests = 1}}}));
  CHECK_FALSE(refusal(CircuitBreakers{.per_host_thresholds = {{.max_connections = 1}}}));
}
