// Delays of Envoy's fault filter, as a running Envoy 1.40 has them (docs/behaviour/envoy-host-pick.md 20): with a
// delay of 2 s, it answered after the times below.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "sim/run/simulation.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace run = spillway::run;
namespace scenario = spillway::scenario;

namespace {

struct Delayed : run::Results {
  std::vector<double> took = {};  // seconds, of each request
  std::vector<bool> ok = {};
  std::vector<std::uint32_t> attempts = {};
};

constexpr const char* every_request = "percentage: { numerator: 100 }";

// Requests of one client, with this route, to an endpoint that takes `service_time`. A delay of 2 s by default.
Delayed simulate_delay(const std::string& route, const std::string& service_time,
                       const std::string& percentage = every_request,
                       const std::string& workload = "rate: 1rps, arrivals: periodic",
                       const std::string& fails_with = "", const std::string& more = "") {
  const std::string type = "type.googleapis.com/envoy.extensions.filters.http.fault.v3.HTTPFault";
  const auto reading = scenario::read_scenario_text(
      "delay.yaml",
      "duration: 200s\nzones: [{ name: z }]\n"
      "services: [{ name: c, endpoints: [{ id: e, zone: z, cores: 1000, service_time: " +
          service_time + " }] }]\nclusters: [{ name: c" + more +
          " }]\nroutes: [{ match: { prefix: / }, route: { cluster: c, " + route +
          " }, typed_per_filter_config: { envoy.filters.http.fault: { '@type': " + type +
          ", delay: { fixed_delay: 2s, " + percentage +
          " } } } }]\nclients: [{ name: a, zone: z, workload: { path: /, " + workload + " } }]\n" +
          (fails_with.empty() ? ""
                              : "timeline: [{ at: 0s, service: c, fails: 100%, fails_with: " + fails_with + " }]\n"));
  for (const auto& problem : reading.diagnostics) {
    INFO(problem.message << problem.label);
    CHECK(problem.severity != spillway::Severity::error);
  }
  REQUIRE(reading.scenario);
  Delayed delayed;
  run::Options options;
  options.trace = [&](const run::TracedRequest& request) {
    delayed.took.push_back(std::chrono::duration<double>(request.ended_at - request.sent_at).count());
    delayed.ok.push_back(request.outcome == scenario::Outcome::ok);
    delayed.attempts.push_back(request.attempts);
    // A request that never reached its router has no destination.
    CHECK(request.destination.has_value() == (request.attempts > 0));
  };
  static_cast<run::Results&>(delayed) = run::Simulation(*reading.scenario, options).simulate();
  return delayed;
}

void check_all(const Delayed& delayed, double took, bool ok, std::uint32_t attempts = 1) {
  REQUIRE(delayed.took.size() == 200);
  for (std::size_t i = 0; i < delayed.took.size(); ++i) {
    CHECK(delayed.took[i] == Approx(took));
    CHECK(delayed.ok[i] == ok);
    CHECK(delayed.attempts[i] == attempts);
  }
}

}  // namespace

TEST_CASE("The route's timeout begins after the delay of a fault", "[fault]") {
  check_all(simulate_delay("timeout: 1s", "10ms"), 2.01, true);
  check_all(simulate_delay("timeout: 1s", "2s"), 3.0, false);
}

TEST_CASE("A retry after the delay of a fault is not delayed again, and its tries have their own timeouts", "[fault]") {
  const std::string retries =
      "timeout: 10s, retry_policy: { retry_on: 5xx, num_retries: 1, retry_back_off: { "
      "base_interval: 0.001s, max_interval: 0.001s }";
  check_all(simulate_delay(retries + " }", "10ms", every_request, "rate: 1rps, arrivals: periodic", "503",
                           ", circuit_breakers: { thresholds: [{ max_retries: 1000 }] }"),
            2.02, false, 2);
  const Delayed twice = simulate_delay(retries + ", per_try_timeout: 1s }", "2s");
  for (const double took : twice.took) {
    CHECK(took == Approx(4.0).margin(0.002));
  }
}

TEST_CASE("The stream's timeouts begin before the delay of a fault", "[fault]") {
  check_all(simulate_delay("timeout: 0s, idle_timeout: 3s", "10ms"), 2.01, true);
  check_all(simulate_delay("timeout: 0s, idle_timeout: 3s", "2s"), 3.0, false);
  check_all(simulate_delay("timeout: 0s, max_stream_duration: { max_stream_duration: 3s }", "2s"), 3.0, false);
  check_all(simulate_delay("timeout: 0s, idle_timeout: 1s", "10ms"), 1.0, false, 0);
  check_all(simulate_delay("timeout: 0s, max_stream_duration: { max_stream_duration: 1s }", "10ms"), 1.0, false, 0);
}

TEST_CASE("A request that waits for a connection after its delay has its whole timeout", "[fault]") {
  // The only connection serves one request after the other, each for 1.5 s; 2 s after the delay a request gives up.
  const Delayed waits = simulate_delay("timeout: 2s", "1.5s", every_request, "rate: 1rps, arrivals: periodic", "",
                                       ", circuit_breakers: { thresholds: [{ max_connections: 1 }] }");
  const double longest = *std::max_element(waits.took.begin(), waits.took.end());
  CHECK(longest == Approx(4.0));
  CHECK(*std::min_element(waits.took.begin(), waits.took.end()) >= 3.5);
}

TEST_CASE("Each request draws whether a fault delays it", "[fault]") {
  const auto part_that_waits = [](const std::string& percentage) {
    const Delayed delayed = simulate_delay("timeout: 5s", "10ms", percentage, "rate: 100rps");
    REQUIRE(delayed.took.size() > 15'000);
    for (const double took : delayed.took) {
      CHECK((took == Approx(0.01) || took == Approx(2.01)));
    }
    const auto waited = std::count_if(delayed.took.begin(), delayed.took.end(), [](double took) { return took > 1.0; });
    return static_cast<double>(waited) / static_cast<double>(delayed.took.size());
  };
  // Within five standard deviations of 20,000 draws.
  CHECK(part_that_waits("percentage: { numerator: 30 }") == Approx(0.3).margin(5 * 0.0034));
  CHECK(part_that_waits("percentage: { numerator: 125000, denominator: MILLION }") == Approx(0.125).margin(5 * 0.0025));
  CHECK(part_that_waits("percentage: { numerator: 0 }") == 0.0);
  CHECK(part_that_waits("percentage: { numerator: 500 }") == 1.0);
}

TEST_CASE("Users wait for a delay as for any response, and requests count as sent after it", "[fault]") {
  const Delayed users = simulate_delay("timeout: 5s", "10ms", every_request, "users: 1, think_time: 1ms");
  // Think times are exponential with a mean of 1 ms.
  CHECK(static_cast<double>(users.took.size()) == Approx(200.0 / 2.011).epsilon(0.02));
  const Delayed open = simulate_delay("timeout: 5s", "10ms");
  CHECK(open.outcomes[0].sent == 200);
  double shares = 0.0;
  for (const run::Share& share : open.shares) {
    shares += share.simulated.value_or(0.0);
  }
  CHECK(shares == Approx(1.0));
}
