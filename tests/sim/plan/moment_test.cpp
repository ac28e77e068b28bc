#include "sim/plan/moment.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "sim/scenario/client.hpp"
#include "sim/scenario/state_at.hpp"
#include "sim/scenario/workload.hpp"
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

// Requests a second of one client of the entry: the mean over those that send and those whose node is out.
double rate_of(const scenario::Scenario& scenario, std::uint32_t client, plan::Nanoseconds at) {
  return scenario::actual_at(scenario, at).rate({client}, at);
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

TEST_CASE("the mean rate is that of the whole run", "[plan]") {
  // 5 x 10 s, on average 7 for 10 s, 2 x 40 s; three clients of 1 and then 8 for 30 s each.
  CHECK(plan::mean_rate(with_clients(
            "  - { name: c, zone: a, workload: { service: s, phases: \"5rps 10s, 5rps-9rps 10s, 2rps\" } }\n")) ==
        Approx((50.0 + 70.0 + 80.0) / 60.0));
  CHECK(plan::mean_rate(with_clients(
            "  - { name: d, zone: a, count: 3, workload: { service: s, phases: \"1rps 30s, 8rps\" } }\n")) ==
        Approx(3.0 * 4.5));
}

TEST_CASE("recorded arrivals are planned for their busiest second", "[plan]") {
  scenario::Scenario scenario = accepted(
      "duration: 60s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ zone: a }] }]\n"
      "clients:\n"
      "  - { name: c, zone: a, count: 2, workload: { service: s, rate: 1rps } }\n"
      "  - { name: d, zone: a, workload: { service: s, phases: '5rps 30s, 50rps' } }\n");
  // One arrival a second, and 100 from 10.5 s on within half of a second.
  std::vector<scenario::TracedArrival> arrivals;
  for (int tenth = 0; tenth < 600; ++tenth) {
    if (tenth % 10 == 0) {
      arrivals.push_back({std::chrono::milliseconds{100 * tenth}, 0});
    }
    for (int more = 0; tenth == 105 && more < 100; ++more) {
      arrivals.push_back({std::chrono::milliseconds{10'500 + 5 * more}, 1});
    }
  }
  scenario::Workload& workload = scenario.clients[0].workload;
  workload.arrivals = scenario::Arrivals::trace;
  workload.rate = static_cast<double>(arrivals.size()) / 60.0 / 2.0;
  workload.trace = std::make_shared<const std::vector<scenario::TracedArrival>>(arrivals);
  const plan::Nanoseconds busiest = plan::busiest_moment(scenario);
  CHECK(busiest >= std::chrono::milliseconds{10'000});
  CHECK(busiest <= std::chrono::milliseconds{10'500});
  plan::spread_recorded_arrivals(scenario, busiest);
  const scenario::Scenario still = plan::at_moment(scenario, busiest, 1.0);
  CHECK(still.clients[0].workload.trace == nullptr);
  CHECK(still.clients[0].workload.rate == Approx(101.0 / 2.0));
  CHECK(still.clients[1].workload.rate == 5.0);
}

TEST_CASE("a ramp is highest at its end", "[plan]") {
  const scenario::Scenario scenario =
      with_clients("  - { name: c, zone: a, workload: { service: s, phases: \"0rps-100rps 20s, 50rps\" } }\n");
  const auto peak = plan::busiest_moment(scenario);
  CHECK(peak == 20s - 1ns);
  CHECK(rate_of(scenario, 0, peak) == Approx(100.0).epsilon(1e-9));
  CHECK(rate_of(scenario, 0, 5s) == Approx(25.0));
}

TEST_CASE("clients whose node is out send nothing", "[plan]") {
  const scenario::Scenario scenario = with_clients(
      "  - { name: c, zone: a, workload: { service: s, rate: 5rps } }\n"
      "  - { name: d, zone: b, workload: { service: s, rate: 7rps } }\n",
      "timeline: [{ at: 10s, zone: b, outage: true }, { at: 20s, zone: b, outage: false }]\n");
  CHECK(rate_of(scenario, 1, 15s) == 0.0);
  CHECK(rate_of(scenario, 1, 20s) == 7.0);
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

TEST_CASE("of clients on several nodes those whose node is out are left out of a moment", "[plan]") {
  // Eight clients on three nodes: 3, 3 and 2.
  const scenario::Scenario scenario = accepted(
      "duration: 60s\nzones: [{ name: a, nodes: [{ name: n, count: 3 }] }]\n"
      "services: [{ name: s, endpoints: [{ count: 3, zone: a }] }]\n"
      "clients: [{ name: c, zone: a, count: 8, workload: { service: s, rate: 6rps } }]\n"
      "timeline: [{ at: 10s, node: n-2, outage: true }]\n");
  CHECK(rate_of(scenario, 0, 5s) == Approx(6.0));
  CHECK(rate_of(scenario, 0, 10s) == Approx(6.0 * 5 / 8));
  CHECK(plan::rate_at(scenario, 10s) == Approx(30.0));
  const scenario::Scenario still = plan::at_moment(scenario, 10s, 1.0);
  CHECK(still.clients[0].count == 5);
  CHECK(still.clients[0].workload.rate == 6.0);
  const auto on = [&](std::uint32_t node) {
    return clients_on(still.clients[0], [&](config::NodeIndex of) { return of.value == node; });
  };
  CHECK(on(0) == 3);
  CHECK(on(1) == 0);
  CHECK(on(2) == 2);
}

TEST_CASE("what a later change overwrites is no part of a moment that is held still", "[plan]") {
  scenario::Scenario scenario =
      with_clients("  - { name: c, zone: a, workload: { service: s, rate: 5rps } }\n",
                   "timeline: [{ at: 10s, healthy: 2 }, { at: 20s, healthy: 1 }, { at: 25s, remove: 1 },\n"
                   "           { at: 30s, healthy: 2 }]\n");
  const scenario::Scenario still = plan::at_moment(scenario, 30s, 1.0);
  CHECK(still.changes.size() < scenario.changes.size());
  const auto reported = [](const scenario::Scenario& of) {
    return scenario::eds_state_at(of, config::ZoneIndex{0}, 30s).of(config::ServiceIndex{0});
  };
  CHECK(reported(still).health == reported(scenario).health);
  CHECK(reported(still).absent == reported(scenario).absent);
}
