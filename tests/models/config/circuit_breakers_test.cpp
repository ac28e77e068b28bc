// Which breakers Envoy refuses: envoy/config/cluster/v3/circuit_breaker.proto, envoy/type/v3/percent.proto.
#include "models/config/circuit_breakers.hpp"

#include <catch2/catch.hpp>

using namespace spillway::config;

namespace {

CircuitBreakers with_budget(double percent) {
  CircuitBreakerThresholds thresholds;
  thresholds.retry_budget.emplace().budget_percent = Percent{percent};
  return {.thresholds = {thresholds}, .per_host_thresholds = {}};
}

}  // namespace

TEST_CASE("a retry budget may be none and all of the requests, and nothing beyond") {
  CHECK_FALSE(refusal(with_budget(0.0)));
  CHECK_FALSE(refusal(with_budget(100.0)));
  CHECK(refusal(with_budget(-0.1)));
  CHECK(refusal(with_budget(100.1)));
}

TEST_CASE("breakers for one host have a number of connections and nothing else") {
  const auto refused = [](auto change) {
    CircuitBreakers breakers;
    breakers.per_host_thresholds.emplace_back();
    change(breakers.per_host_thresholds.emplace_back());
    return refusal(breakers).has_value();
  };
  CHECK_FALSE(refused([](auto& thresholds) { thresholds.max_connections = 1; }));
  CHECK(refused([](auto& thresholds) { thresholds.max_pending_requests = 1; }));
  CHECK(refused([](auto& thresholds) { thresholds.max_requests = 1; }));
  CHECK(refused([](auto& thresholds) { thresholds.max_retries = 1; }));
  CHECK(refused([](auto& thresholds) { thresholds.max_connection_pools = 1; }));
  CHECK(refused([](auto& thresholds) { thresholds.retry_budget.emplace(); }));
}

TEST_CASE("the refusals of breakers are those of the API") {
  CHECK(refusal(with_budget(100.1)) == "PercentValidationError.Value: value must be inside range [0, 100]");
  CircuitBreakers breakers = with_budget(1.0);
  breakers.thresholds.insert(breakers.thresholds.begin(), CircuitBreakerThresholds{});
  CHECK_FALSE(refusal(breakers));
  breakers.thresholds.back().retry_budget->budget_percent = Percent{101.0};
  CHECK(refusal(breakers));
  breakers.thresholds.back().retry_budget->budget_percent.reset();
  CHECK_FALSE(refusal(breakers));
  breakers.per_host_thresholds.emplace_back().max_retries = 3;
  CHECK(refusal(breakers) == "Unsupported field in per_host_thresholds: only max_connections is supported");
}
