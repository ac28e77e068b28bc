#include "sim/plan/moment.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <string>

#include "sim/run/run.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace std::chrono_literals;
using scenario::test::accepted;

namespace {

scenario::Scenario with_clients(const std::string& clients, const std::string& extra = "") {
  return accepted(
      "duration: 60s\nzones: [{ name: a }, { name: b }]\n"
      "services: [{ name: s, endpoints: [{ count: 4, zone: a }] }]\nclients:\n" +
      clients + extra);
}

}  // namespace

TEST_CASE("the busiest moment is the first with the highest rate of all clients", "[plan]") {
  CHECK(plan::busiest_moment(with_clients("  - { name: c, zone: a, workload: { service: s, rate: 5rps } }\n")) == 0s);
  CHECK(plan::busiest_moment(with_clients(
            "  - { name: c, zone: a, workload: { service: s, phases: \"5rps 10s, 9rps 10s, 2rps\" } }\n")) == 10s);
  CHECK(plan::busiest_moment(with_clients(
            "  - { name: c, zone: a, workload: { service: s, phases: \"5rps 10s, 9rps 10s, 2rps\" } }\n"
            "  - { name: d, zone: a, count: 3, workload: { service: s, phases: \"1rps 30s, 8rps\" } }\n")) == 30s);
}

TEST_CASE("a ramp is highest at its end", "[plan]") {
  const scenario::Scenario scenario =
      with_clients("  - { name: c, zone: a, workload: { service: s, phases: \"0rps-100rps 20s, 50rps\" } }\n");
  const auto peak = plan::busiest_moment(scenario);
  CHECK(peak == 20s - 1ns);
  CHECK(plan::rates_at(scenario, peak)[0] == Approx(100.0).epsilon(1e-9));
  CHECK(plan::rates_at(scenario, 5s)[0] == Approx(25.0));
}

TEST_CASE("clients whose node is out send nothing", "[plan]") {
  const scenario::Scenario scenario = with_clients(
      "  - { name: c, zone: a, workload: { service: s, rate: 5rps } }\n"
      "  - { name: d, zone: b, workload: { service: s, rate: 7rps } }\n",
      "timeline: [{ at: 10s, zone: b, outage: true }, { at: 20s, zone: b, outage: false }]\n");
  CHECK(plan::rates_at(scenario, 15s)[1] == 0.0);
  CHECK(plan::rates_at(scenario, 20s)[1] == 7.0);
}

TEST_CASE("a moment that is held still has its past at the start and no future", "[plan]") {
  scenario::Scenario scenario =
      with_clients("  - { name: c, zone: a, workload: { service: s, phases: \"5rps 10s, 9rps\" } }\n",
                   "timeline: [{ at: 10s, healthy: 2 }, { at: 20s, healthy: 1 }]\n");
  const scenario::Scenario still = plan::at_moment(scenario, 10s, 2.0);
  REQUIRE(still.changes.size() == 1);
  CHECK(still.changes[0].at == 0s);
  CHECK(still.clients[0].workload.rate == 18.0);
  CHECK(still.duration == 60s);
}

TEST_CASE("slow start is over at a moment that is further from the last host gained than its window") {
  const scenario::Scenario scenario = accepted(
      "duration: 60s\nzones: [{ name: a }]\n"
      "services: [{ name: s, endpoints: [{ count: 2, zone: a }] }]\n"
      "clusters: [{ name: s, round_robin_lb_config: { slow_start_config: { slow_start_window: 10s } } }]\n"
      "clients: [{ name: c, zone: a, workload: { service: s, rate: 10rps } }]\n"
      "timeline: [{ at: 5s, endpoints: [s-2], remove: 1 }, { at: 20s, endpoints: [s-2], add: 1 }, { at: 40s, "
      "endpoints: "
      "[s-1], healthy: 0 }]\n");
  const auto has_closed_form = [&](std::chrono::seconds at) {
    const scenario::Scenario still = plan::at_moment(scenario, at, 1.0);
    const run::Results results = run::run(still, {scenario::Mode::exact, std::nullopt, {}});
    return std::all_of(results.shares.begin(), results.shares.end(),
                       [](const run::Share& share) { return share.exact.has_value(); });
  };
  CHECK(has_closed_form(std::chrono::seconds{6}));
  CHECK_FALSE(has_closed_form(std::chrono::seconds{20}));
  CHECK_FALSE(has_closed_form(std::chrono::seconds{29}));
  CHECK(has_closed_form(std::chrono::seconds{30}));
  CHECK(has_closed_form(std::chrono::seconds{45}));  // to lose a host begins nothing
}
