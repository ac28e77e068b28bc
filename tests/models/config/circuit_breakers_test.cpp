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
