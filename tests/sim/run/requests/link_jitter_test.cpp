// Links whose latency is drawn anew for each request.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "sim/run/simulation.hpp"
#include "sim/scenario/read_scenario.hpp"

using namespace spillway;

namespace {

scenario::Scenario read_jitter(const std::string& text) {
  auto reading = scenario::read_scenario_text("jitter.yaml", text);
  REQUIRE(reading.scenario);
  return *std::move(reading.scenario);
}

run::Results simulate_jitter(const scenario::Scenario& scenario) {
  return run::Simulation(scenario, {.mode = scenario::Mode::requests, .seed = {}, .progress = {}}).simulate();
}

std::string far_away(const std::string& link, const std::string& endpoint, const std::string& duration) {
  return "duration: " + duration +
         "\nzones: [{ name: zone-1 }, { name: zone-2 }]\n"
         "links: [{ between: [zone-1, zone-2], " +
         link +
         " }]\n"
         "services: [{ name: b, endpoints: [{ id: b-1, zone: zone-2, " +
         endpoint +
         " }] }]\n"
         "clients: [{ name: c, zone: zone-1, workload: { service: b, rate: 1000rps } }]\n";
}

// That the sum of two numbers, each uniform within -1 and 1, is lower with this probability.
double quantile_of_sum(double probability) {
  return 2.0 - std::sqrt(8.0 * (1.0 - probability));
}

}  // namespace

TEST_CASE("each way over a link with jitter takes a time uniform around its latency") {
  const run::Results results =
      simulate_jitter(read_jitter(far_away("latency: 10ms, jitter: 4ms", "service_time: 1ms", "200s")));
  REQUIRE(results.latency.size() == 1);
  const auto expected = [](double probability) { return 0.021 + 0.004 * quantile_of_sum(probability); };
  // 200,000 requests: six standard errors of each quantile and the histogram's bound of 1 %.
  CHECK(results.latency[0].p50 == Approx(0.021).margin(0.00021 + 6 * 2.0e-5));
  CHECK(results.latency[0].p90 == Approx(expected(0.9)).margin(0.00026 + 6 * 1.7e-5));
  CHECK(results.latency[0].p99 == Approx(expected(0.99)).margin(0.00028 + 6 * 1.8e-5));
  CHECK(results.latency[0].max <= 0.029);
  CHECK(results.latency[0].max > 0.0285);
}

TEST_CASE("requests that overtake each other on the way still arrive as a Poisson process: M/M/1 behind jitter") {
  const run::Results results = simulate_jitter(read_jitter(far_away(
      "latency: 10ms, jitter: 10ms", "cores: 1, service_time: { mean: 500us, distribution: exponential }", "400s")));
  REQUIRE(results.latency.size() == 1);
  // The time in the system is exponential with a mean of 1 ms; with both ways, whose sum is triangular on 0 to 40 ms,
  // the mean is 21 ms, and 1 % wait longer than what the convolution below says.
  const auto tail = [](double limit) {
    constexpr int steps = 40000;
    double above = 0.0;
    for (int step = 0; step < steps; ++step) {
      const double way = 0.040 * (step + 0.5) / steps;
      const double density = (way < 0.020 ? way : 0.040 - way) / (0.020 * 0.020);
      above += density * (limit > way ? std::exp(-(limit - way) / 0.001) : 1.0) * 0.040 / steps;
    }
    return above;
  };
  // A quantile may stray by the histogram's 1 %; the counts behind p99, 4,000 of 400,000, by six deviations.
  CHECK(tail(results.latency[0].p50 * 1.01) < 0.5 + 6 * 0.0016);
  CHECK(tail(results.latency[0].p50 * 0.99) > 0.5 - 6 * 0.0016);
  CHECK(tail(results.latency[0].p99 * 1.01) < 0.01 + 6 * 0.0004);
  CHECK(tail(results.latency[0].p99 * 0.99) > 0.01 - 6 * 0.0004);
}

TEST_CASE("requests within a zone, and over links without jitter, draw nothing for their way") {
  const std::string zones =
      "duration: 1s\nzones: [{ name: zone-1 }, { name: zone-2 }, { name: zone-3 }]\n"
      "links: [{ between: [zone-1, zone-2], latency: 2ms }, { between: [zone-1, zone-3], latency: 5ms";
  const std::string rest =
      " }]\nservices: [{ name: b, endpoints: [{ id: b-1, zone: zone-1, service_time: 1ms }, { id: b-2, zone: zone-2, "
      "service_time: 1ms }] }]\nclients: [{ name: c, zone: zone-1, workload: { service: b, rate: 1000rps } }]\n";
  const run::Results steady = simulate_jitter(read_jitter(zones + rest));
  const run::Results elsewhere = simulate_jitter(read_jitter(zones + ", jitter: 5ms" + rest));
  CHECK(steady.latency[0].p50 == elsewhere.latency[0].p50);
  CHECK(steady.latency[0].max == elsewhere.latency[0].max);
}

TEST_CASE("a jitter longer than its link's latency, now or after a change, is refused where it stands") {
  const auto code_of = [](const std::string& text) {
    const auto reading = scenario::read_scenario_text("jitter.yaml", text);
    CHECK_FALSE(reading.scenario);
    REQUIRE(reading.diagnostics.size() == 1);
    return reading.diagnostics[0].code;
  };
  CHECK(code_of(far_away("latency: 1ms, jitter: 2ms", "service_time: 1ms", "1s")) == "SP023");
  CHECK(code_of(far_away("jitter: 2ms", "service_time: 1ms", "1s")) == "SP023");
  CHECK(code_of(far_away("latency: 3ms, jitter: 2ms", "service_time: 1ms", "9s") +
                "timeline: [{ at: 1s, link: [zone-1, zone-2], latency: 1ms }]\n") == "SP023");
}
