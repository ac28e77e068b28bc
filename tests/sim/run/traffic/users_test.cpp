// Closed loops against exact Mean Value Analysis (Reiser and Lavenberg 1980), against the slow twin, and at their
// edges; and arrivals by a trace.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <vector>

#include "sim/run/run.hpp"
#include "sim/run/simulation.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "tests/sim/run/slow_twin.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace std::chrono_literals;
using namespace spillway;
using scenario::Scenario;
using scenario::ServiceDistribution;

namespace {

std::shared_ptr<const scenario::ServiceVariation> exponential() {
  return std::make_shared<const scenario::ServiceVariation>(
      scenario::ServiceVariation{.distribution = ServiceDistribution::exponential});
}

// One client with so many users; endpoints in its own zone, picked at random.
Scenario closed(std::uint32_t users, std::chrono::nanoseconds think, const std::vector<std::chrono::nanoseconds>& means,
                std::uint32_t cores) {
  Scenario scenario = support::one_service({static_cast<std::uint32_t>(means.size())});
  scenario.services[0].cluster.lb_policy = envoy::policies::random::Config{};
  for (std::size_t index = 0; index < means.size(); ++index) {
    scenario.endpoints[index].service_time = means[index];
    scenario.endpoints[index].variation = exponential();
    scenario.endpoints[index].servers = scenario::Servers{.cores = cores};
  }
  scenario::Workload& workload = scenario.clients[0].workload;
  workload.arrivals = scenario::Arrivals::closed;
  workload.users = users;
  workload.rate = users;
  workload.think_time = think;
  workload.think_variation = exponential();
  return scenario;
}

// Requests a second of one station with several cores, by its marginal probabilities of each population (exact MVA for
// stations whose rate depends on their load).
double mva_of_many_cores(int users, double think, double service, int cores) {
  std::vector<double> before = {1.0};  // p(j | n - 1)
  double throughput = 0.0;
  for (int n = 1; n <= users; ++n) {
    const auto rate = [&](int j) { return std::min(j, cores) / service; };
    double response = 0.0;
    for (int j = 1; j <= n; ++j) {
      response += j / rate(j) * before[static_cast<std::size_t>(j - 1)];
    }
    throughput = n / (think + response);
    std::vector<double> now(static_cast<std::size_t>(n) + 1, 0.0);
    double others = 0.0;
    for (int j = 1; j <= n; ++j) {
      now[static_cast<std::size_t>(j)] = throughput / rate(j) * before[static_cast<std::size_t>(j - 1)];
      others += now[static_cast<std::size_t>(j)];
    }
    now[0] = 1.0 - others;
    before = now;
  }
  return throughput;
}

// The same of stations of one core, each asked for equally often.
double mva_of_servers(int users, double think, const std::vector<double>& services) {
  std::vector<double> queue(services.size(), 0.0);
  double throughput = 0.0;
  for (int n = 1; n <= users; ++n) {
    double response = 0.0;
    std::vector<double> of_server;
    for (std::size_t k = 0; k < services.size(); ++k) {
      of_server.push_back(services[k] / static_cast<double>(services.size()) * (1.0 + queue[k]));
      response += of_server.back();
    }
    throughput = n / (think + response);
    for (std::size_t k = 0; k < services.size(); ++k) {
      queue[k] = throughput * of_server[k];
    }
  }
  return throughput;
}

run::Options seeded(std::uint64_t seed) {
  run::Options options;
  options.seed = seed;
  return options;
}

// 99.9 % by Student's t over 20 runs. The loop begins with everybody thinking, which is less than 1 / 10,000 of a run.
void check_throughput(Scenario scenario, double expected) {
  constexpr int runs = 20;
  constexpr double quantile = 3.883;  // of t with 19 degrees of freedom, 0.9995
  scenario.duration = 2000s;
  double sum = 0.0;
  double squares = 0.0;
  for (int run = 0; run < runs; ++run) {
    const run::Results results = run::run(scenario, seeded(1000 + static_cast<std::uint64_t>(run)));
    CHECK(results.outcomes[0].ok() == results.outcomes[0].sent);
    const double rate = static_cast<double>(results.outcomes[0].ok()) / 2000.0;
    sum += rate;
    squares += rate * rate;
  }
  const double mean = sum / runs;
  const double error = std::sqrt((squares / runs - mean * mean) / (runs - 1));
  INFO("mean " << mean << ", expected " << expected << ", standard error " << error);
  CHECK(std::abs(mean - expected) < quantile * error);
  CHECK(error < 0.01 * expected);
}

}  // namespace

TEST_CASE("users of one station with several cores send as often as exact MVA says") {
  // One user never waits: one request in 0.5 s + 0.1 s.
  CHECK(mva_of_many_cores(1, 0.5, 0.1, 2) == Approx(1.0 / 0.6));
  check_throughput(closed(8, 500ms, {100ms}, 2), mva_of_many_cores(8, 0.5, 0.1, 2));
  check_throughput(closed(12, 500ms, {100ms}, 2), mva_of_many_cores(12, 0.5, 0.1, 2));
}

TEST_CASE("users of two stations send as often as exact MVA says") {
  CHECK(mva_of_servers(8, 0.5, {0.1}) == Approx(mva_of_many_cores(8, 0.5, 0.1, 1)));
  check_throughput(closed(6, 400ms, {100ms, 180ms}, 1), mva_of_servers(6, 0.4, {0.1, 0.18}));
}

TEST_CASE("a closed loop with constant times is a clock") {
  Scenario scenario = closed(3, 70ms, {30ms}, 3);
  scenario.clients[0].workload.think_variation = nullptr;
  scenario.endpoints[0].variation = nullptr;
  // Each of the three sends at 70 ms, 170 ms, ..., 9,970 ms.
  const run::Results results = run::run(scenario, {});
  CHECK(results.outcomes[0].sent == 3 * 100);
  CHECK(results.latency[0].max == Approx(0.03));
}

TEST_CASE("closed loops are the same as the slow twin's") {
  Scenario scenario = closed(5, 200ms, {40ms, 70ms, 90ms}, 2);
  scenario.services[0].cluster.lb_policy = envoy::policies::least_request::Config{};
  scenario.clients[0].count = 3;
  scenario.duration = 300s;
  for (const auto limit : {std::optional<std::uint32_t>{}, std::optional<std::uint32_t>{1}}) {
    for (scenario::Endpoint& endpoint : scenario.endpoints) {
      endpoint.servers->queue = limit;
    }
    const test::TwinResult twin = test::simulate_slowly(scenario);
    const run::Results results = run::run(scenario, {});
    CHECK(twin.sent > 10'000);
    CHECK(results.outcomes[0].sent == twin.sent);
    CHECK(results.outcomes[0].ok() == twin.ok);
    CHECK(results.outcomes[0][scenario::Outcome::queue_full] == twin.queue_full);
    CHECK(results.latency[0].max ==
          static_cast<double>(*std::max_element(twin.latencies.begin(), twin.latencies.end())) * 1e-9);
  }
}

TEST_CASE("users whom nobody serves try again after a millisecond at least") {
  Scenario scenario = closed(2, 0s, {10ms}, 1);
  scenario.clients[0].workload.think_variation = nullptr;
  scenario.changes.push_back(support::tell(0s, 0, 1, 0));
  scenario.services[0].cluster.common_lb_config.healthy_panic_threshold = config::Percent{0.0};
  const run::Results results = run::run(scenario, {});
  CHECK(results.outcomes[0][scenario::Outcome::no_healthy_upstream] == 2 * 10'000);
}

TEST_CASE("a trace sends when it says, by the clients that it names, and is the same without a calendar") {
  Scenario scenario = support::one_service({3});
  scenario.clients[0].count = 2;
  scenario::Workload& workload = scenario.clients[0].workload;
  workload.arrivals = scenario::Arrivals::trace;
  workload.trace = std::make_shared<const std::vector<scenario::TracedArrival>>(
      std::vector<scenario::TracedArrival>{{0ns, 1}, {1s, 0}, {1s, 0}, {2s, 1}, {9999999999ns, 1}, {10s, 0}, {11s, 0}});
  const run::Results fast = run::run(scenario, {});
  const run::Results slow = run::Simulation(scenario, {}).simulate();
  CHECK(fast.outcomes[0].sent == 5);
  CHECK(slow.outcomes[0].sent == 5);
  CHECK(fast.result_fingerprint == slow.result_fingerprint);
}
