#include "reports/requests/summary.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/run/run.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;

namespace {

using Lines = std::vector<std::string>;

// Nobody of cart is healthy from 5 s on.
Lines summary_of(const std::string& threshold) {
  const scenario::Scenario scenario = scenario::test::accepted(
      "duration: 10s\nmode: exact\nzones: [{ name: a }]\n"
      "services:\n"
      "  - { name: cart, endpoints: [{ count: 2, zone: a }] }\n"
      "clusters: [{ name: cart, common_lb_config: { healthy_panic_threshold: { value: " +
      threshold +
      " } } }]\n"
      "clients: [{ name: shop, zone: a, workload: { service: cart, rate: 10rps } }]\n"
      "timeline: [{ at: 5s, service: cart, healthy: 0 }]\n");
  return reports::summary_lines(scenario, run::run(scenario, {scenario::Mode::exact, std::nullopt}));
}

}  // namespace

// Envoy: with a threshold of 0 there is no panic, and a cluster without a healthy host picks none.
TEST_CASE("exact shares that do not add up to all requests are told below the tables") {
  CHECK(summary_of("0") == Lines{"no host: 100 % of shop -> cart, 5 - 10 s"});
  CHECK(summary_of("50").empty());
}
