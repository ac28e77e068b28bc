// The fast loop of plain requests gives what the general one gives, to the last bit.
#include <catch2/catch.hpp>
#include <memory>

#include "sim/run/run.hpp"
#include "sim/run/simulation.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace std::chrono_literals;
using namespace spillway;
using run::Results;
using scenario::Scenario;
using scenario::ServiceLaw;
using support::one_service;

namespace {

void check_equal(const Results& fast, const Results& slow) {
  CHECK(fast.unseed == slow.unseed);
  REQUIRE(fast.shares.size() == slow.shares.size());
  for (std::size_t row = 0; row < fast.shares.size(); ++row) {
    CHECK(fast.shares[row].endpoint == slow.shares[row].endpoint);
    CHECK(fast.shares[row].exact == slow.shares[row].exact);
    CHECK(fast.shares[row].requests == slow.shares[row].requests);
    CHECK(fast.shares[row].attempts == slow.shares[row].attempts);
    CHECK(fast.shares[row].simulated == slow.shares[row].simulated);
  }
  REQUIRE(fast.outcomes.size() == slow.outcomes.size());
  for (std::size_t row = 0; row < fast.outcomes.size(); ++row) {
    CHECK(fast.outcomes[row].sent == slow.outcomes[row].sent);
    CHECK(fast.outcomes[row].ok == slow.outcomes[row].ok);
    CHECK(fast.outcomes[row].no_healthy_upstream == slow.outcomes[row].no_healthy_upstream);
    CHECK(fast.outcomes[row].timeout == slow.outcomes[row].timeout);
    CHECK(fast.outcomes[row].overflow == slow.outcomes[row].overflow);
    CHECK(fast.outcomes[row].queue_full == slow.outcomes[row].queue_full);
    CHECK(fast.outcomes[row].connect_failure == slow.outcomes[row].connect_failure);
    CHECK(fast.latency[row].p50 == slow.latency[row].p50);
    CHECK(fast.latency[row].p90 == slow.latency[row].p90);
    CHECK(fast.latency[row].p99 == slow.latency[row].p99);
    CHECK(fast.latency[row].max == slow.latency[row].max);
  }
  REQUIRE(fast.whole_latency.size() == slow.whole_latency.size());
  for (std::size_t row = 0; row < fast.whole_latency.size(); ++row) {
    for (const auto of : {&run::WholeLatency::ok, &run::WholeLatency::errors}) {
      CHECK((fast.whole_latency[row].*of).answers == (slow.whole_latency[row].*of).answers);
      CHECK((fast.whole_latency[row].*of).p50 == (slow.whole_latency[row].*of).p50);
      CHECK((fast.whole_latency[row].*of).p999 == (slow.whole_latency[row].*of).p999);
      CHECK((fast.whole_latency[row].*of).max == (slow.whole_latency[row].*of).max);
    }
  }
}

void compare(const Scenario& scenario) {
  const Results slow = run::Simulation(scenario, {}).play();
  const auto with_calendar = run::Simulation(scenario, {}, run::PlainPlayer::Way::calendar).try_to_play();
  check_equal(with_calendar.value(), slow);
  check_equal(run::run(scenario, {}), slow);
}

// Two zones, health that changes, rates that change, hosts that do not exist for a while.
Scenario eventful() {
  Scenario scenario = one_service({7, 10});
  scenario.links.push_back({config::ZoneIndex{0}, config::ZoneIndex{1}, 3ms});
  scenario.clients[0].count = 4;
  scenario.clients.push_back(scenario.clients[0]);
  scenario.clients[1].name = "other";
  scenario.clients[1].workload.rate = 300.0;
  scenario.clients[1].workload.arrivals = scenario::Arrivals::periodic;
  scenario.changes.push_back(support::tell(2s, 0, 7, 4));
  scenario.changes.push_back({3s, scenario::RateChange{config::ClientEntryIndex{0}, 1700.0}, {}});
  scenario.changes.push_back({4s, scenario::Existence{config::ServiceIndex{0}, {config::HostIndex{1}}, false}, {}});
  scenario.changes.push_back(support::tell(5s, 0, 7, 7));
  scenario.changes.push_back({6s, scenario::Existence{config::ServiceIndex{0}, {config::HostIndex{1}}, true}, {}});
  scenario.changes.push_back({7s, scenario::RateChange{config::ClientEntryIndex{1}, 0.0}, {}});
  return scenario;
}

void draw_service_times(Scenario& scenario) {
  for (scenario::Endpoint& endpoint : scenario.endpoints) {
    endpoint.variation = std::make_shared<const scenario::ServiceVariation>(
        scenario::ServiceVariation{.law = ServiceLaw::hyperexponential, .coefficient_of_variation = 3.0});
  }
}

}  // namespace

TEST_CASE("plain requests of stateless policies are the same without a calendar") {
  Scenario scenario = eventful();
  for (const envoy::policies::Config& policy : {envoy::policies::Config{envoy::policies::random::Config{}},
                                                envoy::policies::Config{envoy::policies::round_robin::Config{}},
                                                envoy::policies::Config{envoy::policies::maglev::Config{}}}) {
    scenario.services[0].cluster.lb_policy = policy;
    compare(scenario);
  }
}

TEST_CASE("plain requests are the same where proxies have several workers") {
  Scenario scenario = eventful();
  scenario.clients[0].concurrency = 3;
  for (const envoy::policies::Config& policy : {envoy::policies::Config{envoy::policies::random::Config{}},
                                                envoy::policies::Config{envoy::policies::round_robin::Config{}},
                                                envoy::policies::Config{envoy::policies::least_request::Config{}},
                                                envoy::policies::Config{envoy::policies::maglev::Config{}}}) {
    scenario.services[0].cluster.lb_policy = policy;
    compare(scenario);
  }
}

TEST_CASE("plain requests are the same with different weights and localities") {
  Scenario scenario = eventful();
  for (auto& group : scenario.services[0].load_assignment.endpoints) {
    for (auto& endpoint : group.lb_endpoints) {
      endpoint.load_balancing_weight = 1U + static_cast<unsigned char>(endpoint.address.back()) % 4U;
    }
  }
  compare(scenario);
  scenario.services[0].cluster.lb_policy = envoy::policies::least_request::Config{};
  compare(scenario);
}

TEST_CASE("plain requests are the same on ramps and with uniform arrivals") {
  Scenario scenario = eventful();
  scenario.clients[0].workload.slope = 150.0;
  scenario.clients[1].workload.arrivals = scenario::Arrivals::uniform;
  compare(scenario);
}

TEST_CASE("plain requests are the same where service times are drawn") {
  Scenario scenario = eventful();
  draw_service_times(scenario);
  compare(scenario);
  scenario.clients.resize(1);
  scenario.changes.resize(3);
  compare(scenario);
}

TEST_CASE("plain requests are the same where they queue, by least request too") {
  Scenario scenario = one_service({12});
  draw_service_times(scenario);
  for (scenario::Endpoint& endpoint : scenario.endpoints) {
    endpoint.servers = scenario::Servers{.cores = 2, .queue = 6};
  }
  scenario.clients[0].count = 3;
  scenario.clients[0].workload.rate = 1800.0;
  scenario.changes.push_back(support::tell(2s, 0, 12, 9));
  compare(scenario);
  scenario.services[0].cluster.lb_policy = envoy::policies::least_request::Config{};
  compare(scenario);
}

// Two clients whose requests last long enough to meet each other at every host; the others send nothing.
TEST_CASE("clients that send nothing change nothing, though counters of requests in flight are sparse then") {
  Scenario scenario = one_service({1000});
  scenario.services[0].cluster.lb_policy = envoy::policies::least_request::Config{};
  scenario.services[0].cluster.circuit_breakers.thresholds.push_back({.max_requests = 100'000});
  for (scenario::Endpoint& endpoint : scenario.endpoints) {
    endpoint.service_time = 3s;
  }
  std::vector<scenario::TracedArrival> arrivals;
  for (std::uint32_t number = 0; number < 20'000; ++number) {
    arrivals.push_back({number * 400us, number % 2});
  }
  scenario.clients[0].workload.arrivals = scenario::Arrivals::trace;
  scenario.clients[0].workload.trace = std::make_shared<const std::vector<scenario::TracedArrival>>(arrivals);
  scenario.changes.push_back(support::tell(4s, 0, 1000, 900));
  scenario.clients[0].count = 2;
  const Results few = run::run(scenario, {});
  scenario.clients[0].count = 20'000;
  compare(scenario);
  Results many = run::run(scenario, {});
  many.unseed = few.unseed;  // of more streams
  check_equal(many, few);
}

TEST_CASE("a circuit breaker that fills up is found out, and the run played again with a calendar") {
  Scenario scenario = one_service({3});
  scenario.services[0].cluster.circuit_breakers.thresholds.push_back({.max_requests = 6});
  run::Simulation bounded(scenario, {}, run::PlainPlayer::Way::bounded);
  CHECK_FALSE(bounded.try_to_play());
}

TEST_CASE("plain requests are the same where a circuit breaker fills up") {
  Scenario scenario = one_service({3});
  scenario.services[0].cluster.circuit_breakers.thresholds.push_back({.max_requests = 6});
  const Results slow = run::Simulation(scenario, {}).play();
  CHECK(slow.outcomes[0].overflow > 0);
  check_equal(run::run(scenario, {}), slow);
}

TEST_CASE("answers that take longer than the timeout are the same without a calendar") {
  Scenario scenario = one_service({2});
  scenario.duration = 60s;
  scenario.clients[0].workload.rate = 5.0;
  scenario.endpoints[0].service_time = 16s;
  scenario.endpoints[1].service_time = 9s;
  compare(scenario);
  draw_service_times(scenario);
  compare(scenario);
}
