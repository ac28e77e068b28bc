#include "sim/scenario/state_at.hpp"

#include <catch2/catch.hpp>

#include "tests/sim/scenario/reading.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace spillway;
using namespace std::chrono_literals;
using scenario::test::accepted;

namespace {

using config::HealthStatus;

constexpr config::ServiceIndex backend{0};

scenario::Scenario with_timeline(const std::string& timeline) {
  return accepted(
      "duration: 60s\nzones: [{ name: a }, { name: b }]\n"
      "links: [{ between: [a, b], latency: 2ms }]\n"
      "services: [{ name: s, endpoints: [{ count: 4, zone: a }, { count: 2, zone: b }] }]\n"
      "clients:\n"
      "  - { name: c, zone: a, workload: { service: s, phases: \"10rps 10s, 10rps-30rps 20s, 5rps\" } }\n"
      "timeline:\n" +
      timeline);
}

}  // namespace

TEST_CASE("an endpoint that is gone stays away when its node comes back", "[timeline]") {
  const scenario::Scenario scenario = with_timeline(
      "  - { at: 1s, endpoints: [s-1], outage: true }\n"
      "  - { at: 2s, zone: a, outage: true }\n"
      "  - { at: 3s, zone: a, outage: false }\n"
      "  - { at: 4s, endpoints: [s-1], outage: false }\n");
  const auto answering = [&](scenario::Nanoseconds at) {
    const scenario::ActualState state = scenario::actual_at(scenario, at);
    return std::vector{state.answers({0}), state.answers({1}), state.answers({4})};
  };
  CHECK(answering(0s) == std::vector{true, true, true});
  CHECK(answering(1s) == std::vector{false, true, true});
  CHECK(answering(2s) == std::vector{false, false, true});
  CHECK(answering(3s) == std::vector{false, true, true});
  CHECK(answering(4s - 1ns) == std::vector{false, true, true});
  CHECK(answering(4s) == std::vector{true, true, true});
}

TEST_CASE("what endpoints and links do at a moment is what the last change up to it made of them", "[timeline]") {
  const scenario::Scenario scenario = with_timeline(
      "  - { at: 1s, endpoints: [s-2], fails: 40%, fails_with: 500 }\n"
      "  - { at: 1s, endpoints: [s-2], slow: 3 }\n"
      "  - { at: 1s, link: [a, b], latency: 9ms }\n"
      "  - { at: 2s, link: [a, b], outage: true }\n"
      "  - { at: 2s, endpoints: [s-2], answers_checks: degraded }\n"
      "  - { at: 3s, endpoints: [s-2], fails: 0% }\n");
  const scenario::ActualState start = scenario::actual_at(scenario, 0s);
  CHECK(start.of(config::EndpointIndex{1}).failing.fraction == 0.0);
  CHECK(start.of(config::LinkIndex{0}).latency == 2ms);
  const scenario::ActualState later = scenario::actual_at(scenario, 2s);
  CHECK(later.of(config::EndpointIndex{1}).failing.fraction == 0.4);
  CHECK(later.of(config::EndpointIndex{1}).failing.status == 500);
  CHECK(later.of(config::EndpointIndex{1}).slowness == 3.0);
  CHECK(later.of(config::EndpointIndex{1}).check_answer == scenario::CheckAnswer::degraded);
  CHECK(later.of(config::EndpointIndex{2}).slowness == 1.0);
  CHECK(later.of(config::LinkIndex{0}).latency == 9ms);
  CHECK_FALSE(later.of(config::LinkIndex{0}).on);
  CHECK(scenario::actual_at(scenario, 3s).of(config::EndpointIndex{1}).failing.fraction == 0.0);
}

TEST_CASE("a client's rate is a line between changes, and nothing while its node is off", "[timeline]") {
  const scenario::Scenario scenario = with_timeline(
      "  - { at: 15s, zone: a, outage: true }\n"
      "  - { at: 20s, zone: a, outage: false }\n");
  const auto rate = [&](scenario::Nanoseconds at) { return scenario::actual_at(scenario, at).rate({0}, at); };
  CHECK(rate(5s) == 10.0);
  CHECK(rate(12s) == Approx(12.0));
  CHECK(rate(17s) == 0.0);
  CHECK(rate(25s) == Approx(25.0));
  CHECK(rate(30s) == 5.0);
}

TEST_CASE("proxies know what their own zone was told", "[timeline]") {
  scenario::Scenario scenario = support::one_service({2, 2});
  scenario.services[0].absent_at_start = {{3}};
  scenario.changes = {{1s, scenario::EdsHealth{backend, {{{0}, HealthStatus::unhealthy}}, {config::ZoneIndex{1}}}, {}},
                      {2s, scenario::EdsHealth{backend, {{{1}, HealthStatus::degraded}}}, {}},
                      {3s, scenario::EdsMembership{backend, {{3}}, true, {config::ZoneIndex{0}}}, {}},
                      {4s, scenario::EdsWeights{backend, {{{2}, 7}}}, {}}};
  const auto first = scenario::eds_state_at(scenario, config::ZoneIndex{0}, 4s).of(backend);
  CHECK(first.health ==
        std::vector({HealthStatus::healthy, HealthStatus::degraded, HealthStatus::healthy, HealthStatus::healthy}));
  CHECK(first.absent == std::vector<std::uint8_t>{0, 0, 0, 0});
  CHECK(first.weights == std::vector<std::uint32_t>{1, 1, 7, 1});
  const auto second = scenario::eds_state_at(scenario, config::ZoneIndex{1}, 3s).of(backend);
  CHECK(second.health[0] == HealthStatus::unhealthy);
  CHECK(second.absent == std::vector<std::uint8_t>{0, 0, 0, 1});
  CHECK(second.weights.empty());
  const auto all = scenario::eds_state_at(scenario, std::nullopt, 4s).of(backend);
  CHECK(all.health[0] == HealthStatus::healthy);
  CHECK(all.health[1] == HealthStatus::degraded);
  CHECK(all.absent[3] == 1);
}

TEST_CASE("a zone proxy that has nothing behind it yet is there, an endpoint that is added later is not",
          "[timeline]") {
  scenario::Scenario scenario = support::one_service({2});
  scenario.services.push_back(scenario.services[0]);
  scenario.services[1].hosts[1].forwards_to = backend;
  scenario.services[0].absent_at_start = {{0}};
  scenario.services[1].absent_at_start = {{1}};
  const scenario::ActualState state(scenario);
  CHECK_FALSE(state.answers({0}));
  CHECK(state.answers({1}));
}
