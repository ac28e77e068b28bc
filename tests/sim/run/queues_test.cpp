// Requests that queue at endpoints, whole runs of them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "sim/run/simulation.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "tests/sim/run/slow_twin.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace std::chrono_literals;
using namespace spillway;
using run::Results;
using scenario::Scenario;
using scenario::ServiceDistribution;
using support::one_service;

namespace {

Results simulate_queues(const Scenario& scenario) {
  return run::Simulation(scenario, {.mode = scenario::Mode::requests, .seed = {}, .progress = {}}).simulate();
}

// One priority over so many zones with an endpoint each, every one with these cores.
Scenario queues(std::uint32_t zones, const scenario::Servers& servers, std::chrono::nanoseconds mean) {
  Scenario scenario = one_service(std::vector<std::uint32_t>(zones, 2));
  for (auto& group : scenario.services[0].load_assignment.endpoints) {
    group.priority = {};
  }
  for (scenario::Endpoint& endpoint : scenario.endpoints) {
    endpoint.service_time = mean;
    endpoint.servers = servers;
    endpoint.variation = std::make_shared<const scenario::ServiceVariation>(
        scenario::ServiceVariation{.distribution = ServiceDistribution::exponential});
  }
  return scenario;
}

// Says that every endpoint is as fast as ever, which lets its station be played as one that may change.
void disturb(Scenario& scenario) {
  scenario::Slow slow{config::ServiceIndex{0}, {}, 1.0};
  for (std::uint32_t host = 0; host < scenario.services[0].hosts.size(); ++host) {
    slow.hosts.push_back(config::HostIndex{host});
  }
  scenario.changes.push_back({1ms, slow, {}});
}

void check_same(const Results& results, const test::TwinResult& twin) {
  REQUIRE(results.outcomes.size() == 1);
  const run::Outcomes& outcomes = results.outcomes[0];
  CHECK(outcomes.sent == twin.sent);
  CHECK(outcomes.ok() == twin.ok);
  CHECK(outcomes[scenario::Outcome::timeout] == twin.timeout);
  CHECK(outcomes[scenario::Outcome::queue_full] == twin.queue_full);
  // Conservation: everything that was sent has an outcome.
  CHECK(outcomes.ok() + outcomes[scenario::Outcome::timeout] + outcomes[scenario::Outcome::queue_full] ==
        outcomes.sent);
  for (std::size_t endpoint = 0; endpoint < twin.by_endpoint.size(); ++endpoint) {
    const std::string id = "backend-" + std::to_string(endpoint + 1);
    std::uint64_t requests = 0;
    for (const run::Share& share : results.shares) {
      requests += share.endpoint == id ? share.requests.value() : 0;
    }
    CHECK(requests == twin.by_endpoint[endpoint]);
  }
  std::vector<std::int64_t> latencies = twin.latencies;
  REQUIRE_FALSE(latencies.empty());
  std::sort(latencies.begin(), latencies.end());
  CHECK(results.latency[0].max == static_cast<double>(latencies.back()) * 1e-9);
  const double median = static_cast<double>(latencies[(latencies.size() - 1) / 2]) * 1e-9;
  CHECK(results.latency[0].p50 == Approx(median).epsilon(0.01));
}

void compare_with_twin(Scenario scenario) {
  const test::TwinResult twin = test::simulate_slowly(scenario);
  const Results results = simulate_queues(scenario);
  check_same(results, twin);
  disturb(scenario);
  const Results disturbed = simulate_queues(scenario);
  check_same(disturbed, twin);
  CHECK(disturbed.result_fingerprint == results.result_fingerprint);
}

}  // namespace

TEST_CASE("requests that queue in one zone are played as by the slow twin") {
  Scenario scenario = queues(1, {.cores = 2, .queue = 5}, 4ms);
  scenario.services[0].cluster.lb_policy = envoy::policies::least_request::Config{};
  scenario.clients[0].count = 3;
  scenario.clients[0].workload.rate = 330.0;
  compare_with_twin(scenario);
}

TEST_CASE("requests of proxies with several workers are played as by the slow twin") {
  Scenario scenario = queues(1, {.cores = 2, .queue = 5}, 4ms);
  scenario.clients[0].count = 2;
  scenario.clients[0].concurrency = 5;
  scenario.clients[0].workload.rate = 480.0;
  compare_with_twin(scenario);
  scenario.services[0].cluster.lb_policy = envoy::policies::least_request::Config{};
  compare_with_twin(scenario);
}

TEST_CASE("unseed tells runs apart that draw other service times alone") {
  Scenario scenario = one_service({3});
  scenario.services[0].cluster.lb_policy = envoy::policies::random::Config{};
  const auto simulate_with = [&](ServiceDistribution distribution) {
    scenario.endpoints[1].variation = std::make_shared<const scenario::ServiceVariation>(
        scenario::ServiceVariation{.distribution = distribution, .coefficient_of_variation = 2.0});
    return run::Simulation(scenario, {}).simulate();
  };
  const Results exponential = simulate_with(ServiceDistribution::exponential);
  const Results hyperexponential = simulate_with(ServiceDistribution::hyperexponential);
  CHECK(exponential.outcomes[0].sent == hyperexponential.outcomes[0].sent);
  CHECK(exponential.result_fingerprint != hyperexponential.result_fingerprint);
}

TEST_CASE("requests from different distances overtake each other as by the slow twin") {
  Scenario scenario = queues(3, {.cores = 1, .queue = 30}, 3ms);
  scenario.services[0].cluster.lb_policy = envoy::policies::random::Config{};
  scenario.links.push_back({config::ZoneIndex{0}, config::ZoneIndex{1}, 2ms});
  scenario.links.push_back({config::ZoneIndex{0}, config::ZoneIndex{2}, 700us});
  scenario.clients[0].count = 4;
  scenario.clients[0].workload.rate = 200.0;
  scenario.clients.push_back(scenario.clients[0]);
  scenario.clients[1].name = "far";
  scenario.clients[1].node = config::NodeIndex{2};
  scenario.clients[0].workload.rate = 250.0;
  // Two entries make two tables; the twin counts the first entry's.
  const test::TwinResult twin = test::simulate_slowly(scenario);
  Results results = simulate_queues(scenario);
  results.outcomes.resize(1);
  std::erase_if(results.shares.blocks(), [](const run::ShareBlock& block) { return block.client.value != 0; });
  check_same(results, twin);
  Scenario again = scenario;
  disturb(again);
  CHECK(simulate_queues(again).result_fingerprint == results.result_fingerprint);
}

TEST_CASE("requests that give up still occupy their cores, as by the slow twin") {
  // One core, twice what it can do: waits grow beyond Envoy's 15 s.
  Scenario scenario = queues(1, {.cores = 1}, 200ms);
  scenario.duration = 60s;
  scenario.clients[0].workload.rate = 20.0;
  compare_with_twin(scenario);
}

TEST_CASE("least request over stations of one core is the mean field of the power of two choices") {
  // 200 stations at 70 %: the part of stations with at least k requests is 0.7^(2^k - 1) in the limit of many stations
  // (Vvedenskaya, Dobrushin and Karpelevich 1996; Mitzenmacher 1996), and the mean response the sum of
  // 0.7^((2^i) - 2) over i >= 1. One client sees all requests in flight.
  Scenario scenario = one_service({200});
  for (scenario::Endpoint& endpoint : scenario.endpoints) {
    endpoint.service_time = 10ms;
    endpoint.servers = scenario::Servers{.cores = 1};
    endpoint.variation = std::make_shared<const scenario::ServiceVariation>(
        scenario::ServiceVariation{.distribution = ServiceDistribution::exponential});
  }
  scenario.services[0].cluster.lb_policy = envoy::policies::least_request::Config{};
  scenario.services[0].cluster.circuit_breakers.thresholds.push_back({.max_requests = 1'000'000});
  scenario.duration = 60s;
  scenario.clients[0].workload.rate = 0.7 * 200 * 100;
  const Results results = simulate_queues(scenario);
  // The median under the mean field: P(response > t) is a mixture of Erlang laws by the position that a request takes.
  std::vector<double> at_least{1.0};
  for (double power = 1.0; at_least.back() > 1e-12; power = 2.0 * power + 1.0) {
    at_least.push_back(std::pow(0.7, power));
  }
  const auto survival = [&](double services) {
    double sum = 0.0;
    for (std::size_t k = 0; k + 1 < at_least.size(); ++k) {
      // Both choices hold at least k, and not both more: it becomes number k + 1.
      const double chance = at_least[k] * at_least[k] - at_least[k + 1] * at_least[k + 1];
      double term = std::exp(-services);
      double erlang = 0.0;
      for (std::size_t j = 0; j <= k; ++j) {
        erlang += term;
        term *= services / static_cast<double>(j + 1);
      }
      sum += chance * erlang;
    }
    return sum;
  };
  // 1 % for the histogram's cells and another for 200 stations in place of infinitely many.
  CHECK(survival(results.latency[0].p50 / 0.01) == Approx(0.5).margin(0.02));
  CHECK(survival(results.latency[0].p90 / 0.01) == Approx(0.1).margin(0.005));
  CHECK(survival(results.latency[0].p99 / 0.01) == Approx(0.01).margin(0.001));
}

TEST_CASE("a full queue answers at once, and its outcome is queue_full") {
  Scenario scenario = one_service({1});
  scenario.endpoints[0].service_time = 1s;
  scenario.endpoints[0].servers = scenario::Servers{.cores = 1, .queue = 0};
  scenario.clients[0].workload.arrivals = scenario::Arrivals::periodic;
  scenario.clients[0].workload.rate = 10.0;
  const Results results = simulate_queues(scenario);
  CHECK(results.outcomes[0].sent == 100);
  CHECK(results.outcomes[0].ok() == 10);
  CHECK(results.outcomes[0][scenario::Outcome::queue_full] == 90);
  CHECK(results.latency[0].max == 1.0);
}

TEST_CASE("endpoints of a node with cores share them") {
  Scenario scenario = one_service({2});
  scenario.nodes[0].servers = scenario::Servers{.cores = 1};
  scenario.endpoints[0].service_time = scenario.endpoints[1].service_time = 150ms;
  scenario.clients[0].workload.arrivals = scenario::Arrivals::periodic;
  scenario.clients[0].workload.rate = 10.0;
  scenario.duration = 1s;
  // Ten requests, one each 100 ms, 150 ms each on one core: the last one waits 9 times 50 ms.
  CHECK(simulate_queues(scenario).latency[0].max == Approx(0.6));
  scenario.endpoints[0].servers = scenario::Servers{.cores = 1};
  CHECK(simulate_queues(scenario).latency[0].max == Approx(0.15));
}

TEST_CASE("an endpoint that becomes slow takes so many times as long, and is as ever again") {
  Scenario scenario = one_service({1});
  scenario.endpoints[0].service_time = 10ms;
  scenario.clients[0].workload.arrivals = scenario::Arrivals::periodic;
  scenario.clients[0].workload.rate = 10.0;
  const scenario::Slow slow{config::ServiceIndex{0}, {config::HostIndex{0}}, 5.0};
  scenario.changes.push_back({4s, slow, {}});
  CHECK(simulate_queues(scenario).latency[0].max == 0.05);
  CHECK(simulate_queues(scenario).latency[0].p50 == Approx(0.05).epsilon(0.01));  // 60 of 100 requests
  scenario.changes.push_back({5s, scenario::Slow{slow.service, slow.hosts, 1.0}, {}});
  CHECK(simulate_queues(scenario).latency[0].p90 == Approx(0.01).epsilon(0.01));
  CHECK(simulate_queues(scenario).latency[0].max == 0.05);
  scenario.endpoints[0].servers = scenario::Servers{.cores = 1};
  CHECK(simulate_queues(scenario).latency[0].max == 0.05);
}

TEST_CASE("what waits on a node that goes off is reset") {
  Scenario scenario = one_service({1});
  scenario.endpoints[0].service_time = 10s;
  scenario.endpoints[0].servers = scenario::Servers{.cores = 1};
  scenario.nodes.push_back({"client", config::ZoneIndex{0}, ""});
  scenario.clients[0].node = config::NodeIndex{1};
  scenario.clients[0].workload.arrivals = scenario::Arrivals::periodic;
  scenario.clients[0].workload.rate = 1.0;
  scenario.duration = 5s;
  scenario.changes.push_back({2500ms, scenario::NodeOutage{config::NodeIndex{0}, false}, {}});
  const Results results = simulate_queues(scenario);
  CHECK(results.outcomes[0].sent == 5);
  CHECK(results.outcomes[0][scenario::Outcome::upstream_error] == 3);
  CHECK(results.outcomes[0][scenario::Outcome::connect_failure] == 2);
  CHECK(results.latency[0].answers == 0);
}
