// Stations against queueing theory: Kleinrock, Queueing Systems I, for the formulas.
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/engine/arrivals.hpp"
#include "sim/engine/disturbed_server.hpp"
#include "sim/engine/fifo_server.hpp"
#include "sim/engine/service_time.hpp"
#include "tests/support/confidence.hpp"

using namespace std::chrono_literals;
using namespace spillway;
using engine::RandomStream;
using scenario::ServiceDistribution;
using Nanoseconds = std::chrono::nanoseconds;

namespace {

constexpr int requests = 600'000;
constexpr double mean_service = 0.01;  // seconds

double seconds(Nanoseconds time) {
  return static_cast<double>(time.count()) * 1e-9;
}

struct Waits {
  std::vector<double> wait;      // for a core, seconds
  std::vector<double> response;  // until it leaves, seconds
};

Waits simulate_fifo(std::uint32_t cores, double utilisation, const scenario::ServiceVariation& variation,
                    scenario::Arrivals kind = scenario::Arrivals::poisson) {
  engine::Arrivals arrivals(kind, utilisation * cores / mean_service, 1, RandomStream({.seed = 11}));
  RandomStream draws({.seed = 11, .purpose = engine::Purpose::service});
  const engine::ServiceTime distribution(10ms, variation);
  engine::FifoServer server({.cores = cores});
  Waits waits;
  for (int i = 0; i < requests; ++i) {
    const Nanoseconds now = arrivals.next().at;
    const auto served = server.arrive(now, distribution(draws));
    waits.wait.push_back(seconds(served->start - now));
    waits.response.push_back(seconds(served->end - now));
    arrivals.advance();
  }
  return waits;
}

// Erlang's C: the chance of having to wait.
double erlang_c(std::uint32_t cores, double utilisation) {
  const double load = utilisation * cores;
  double term = 1.0;
  double sum = 1.0;
  for (std::uint32_t k = 1; k < cores; ++k) {
    term *= load / k;
    sum += term;
  }
  term *= load / cores / (1.0 - utilisation);
  return term / (sum + term);
}

}  // namespace

TEST_CASE("M/M/1 and M/M/c wait as long as Erlang's C says") {
  for (const auto& [cores, utilisation] : std::vector<std::pair<std::uint32_t, double>>{
           {1, 0.5}, {1, 0.8}, {2, 0.7}, {4, 0.7}, {4, 0.9}, {10, 0.8}, {32, 0.9}}) {
    const Waits waits = simulate_fifo(cores, utilisation, {.distribution = ServiceDistribution::exponential});
    const double expected = erlang_c(cores, utilisation) * mean_service / (cores * (1.0 - utilisation));
    INFO(cores << " cores at " << utilisation);
    CHECK(support::batch_means(waits.wait).contains(expected));
    CHECK(support::batch_means(waits.response).contains(expected + mean_service));
    std::vector<double> waited;
    for (const double wait : waits.wait) {
      waited.push_back(wait > 0.0 ? 1.0 : 0.0);
    }
    CHECK(support::batch_means(waited).contains(erlang_c(cores, utilisation)));
  }
}

TEST_CASE("M/G/1 waits as long as Pollaczek and Khinchine say, for every law of service times") {
  const double utilisation = 0.7;
  const auto expected = [&](double variation) {
    return utilisation * mean_service * (1.0 + variation * variation) / (2.0 * (1.0 - utilisation));
  };
  const auto wait = [&](const scenario::ServiceVariation& distribution) {
    return support::batch_means(simulate_fifo(1, utilisation, distribution).wait);
  };
  CHECK(wait({.distribution = ServiceDistribution::constant}).contains(expected(0.0)));
  CHECK(wait({.distribution = ServiceDistribution::exponential}).contains(expected(1.0)));
  CHECK(
      wait({.distribution = ServiceDistribution::lognormal, .coefficient_of_variation = 0.8}).contains(expected(0.8)));
  CHECK(wait({.distribution = ServiceDistribution::gamma, .coefficient_of_variation = 0.5}).contains(expected(0.5)));
  CHECK(wait({.distribution = ServiceDistribution::gamma, .coefficient_of_variation = 1.5}).contains(expected(1.5)));
  CHECK(wait({.distribution = ServiceDistribution::hyperexponential, .coefficient_of_variation = 2.0})
            .contains(expected(2.0)));
  // Half of the requests 5 ms, half 15 ms: a standard deviation of 5 ms.
  CHECK(wait({.distribution = ServiceDistribution::empirical, .measured = {{5ms, 1.0}, {15ms, 1.0}}})
            .contains(expected(0.5)));
}

TEST_CASE("D/D/1 never waits below its capacity, and waits by a fixed step more each time above it") {
  const Waits below = simulate_fifo(1, 0.999, {}, scenario::Arrivals::periodic);
  for (const double wait : below.wait) {
    REQUIRE(wait == 0.0);
  }
  // At 125 requests a second one comes every 8 ms and is served in 10 ms: number n waits 2 n ms.
  const Waits above = simulate_fifo(1, 1.25, {}, scenario::Arrivals::periodic);
  for (std::size_t n = 0; n < 1000; ++n) {
    REQUIRE(above.wait[n] == Approx(0.002 * static_cast<double>(n)).margin(1e-9));
  }
}

TEST_CASE("M/M/c/K loses and admits as its birth-death chain says") {
  // Two cores and room for three more, offered twice what they can do.
  const double load = 4.0;
  double term = 1.0;
  double sum = 1.0;
  for (int k = 1; k <= 5; ++k) {
    term *= load / std::min(k, 2);
    sum += term;
  }
  const double lost_part = term / sum;
  engine::Arrivals arrivals(scenario::Arrivals::poisson, load / mean_service, 1, RandomStream({.seed = 3}));
  RandomStream draws({.seed = 3, .purpose = engine::Purpose::service});
  const engine::ServiceTime distribution(10ms, {.distribution = ServiceDistribution::exponential});
  engine::FifoServer server({.cores = 2, .queue = 3});
  std::vector<double> lost;
  for (int i = 0; i < requests; ++i) {
    lost.push_back(server.arrive(arrivals.next().at, distribution(draws)) ? 0.0 : 1.0);
    arrivals.advance();
  }
  CHECK(support::batch_means(lost).contains(lost_part));
}

TEST_CASE("under processor sharing the mean response depends on the mean service time only") {
  // M/G/1-PS: mean response = mean service / (1 - utilisation), whatever the law.
  const double utilisation = 0.6;
  for (const scenario::ServiceVariation& variation :
       {scenario::ServiceVariation{}, scenario::ServiceVariation{.distribution = ServiceDistribution::exponential},
        scenario::ServiceVariation{.distribution = ServiceDistribution::hyperexponential,
                                   .coefficient_of_variation = 1.5}}) {
    engine::Arrivals arrivals(scenario::Arrivals::poisson, utilisation / mean_service, 1, RandomStream({.seed = 5}));
    RandomStream draws({.seed = 5, .purpose = engine::Purpose::service});
    const engine::ServiceTime distribution(10ms, variation);
    engine::DisturbedServer server({.cores = 1, .discipline = scenario::Discipline::processor_sharing});
    std::vector<Nanoseconds> arrived;
    std::vector<double> response(requests, 0.0);
    const auto depart_until = [&](Nanoseconds now) {
      while (server.next_departure() <= now) {
        const auto departure = server.depart();
        response[departure.request] = seconds(departure.at - arrived[departure.request]);
      }
    };
    for (std::uint32_t i = 0; i < requests; ++i) {
      const Nanoseconds now = arrivals.next().at;
      depart_until(now);
      arrived.push_back(now);
      REQUIRE(server.arrive(now, i, distribution(draws)));
      arrivals.advance();
    }
    depart_until(engine::DisturbedServer::never - 1ns);
    CHECK(support::batch_means(response).contains(mean_service / (1.0 - utilisation)));
  }
}

TEST_CASE("Little's law holds exactly over a busy period that begins and ends empty") {
  // The integral of the number in the station over time is the sum of the responses, for any station and any
  // discipline.
  for (const auto discipline : {scenario::Discipline::fifo, scenario::Discipline::processor_sharing}) {
    engine::Arrivals arrivals(scenario::Arrivals::poisson, 150.0, 1, RandomStream({.seed = 9}));
    RandomStream draws({.seed = 9, .purpose = engine::Purpose::service});
    const engine::ServiceTime distribution(
        10ms, {.distribution = ServiceDistribution::gamma, .coefficient_of_variation = 2.0});
    engine::DisturbedServer server({.cores = 2, .discipline = discipline});
    std::vector<Nanoseconds> arrived;
    Nanoseconds last{0};
    Nanoseconds area{0};
    Nanoseconds responses{0};
    const auto pass = [&](Nanoseconds now) {
      area += (now - last) * static_cast<std::int64_t>(server.present());
      last = now;
    };
    std::uint64_t left = 0;
    const auto depart_until = [&](Nanoseconds now) {
      while (server.next_departure() <= now) {
        pass(server.next_departure());
        const auto departure = server.depart();
        responses += departure.at - arrived[departure.request];
        ++left;
      }
    };
    for (std::uint32_t i = 0; i < 50'000; ++i) {
      depart_until(arrivals.next().at);
      pass(arrivals.next().at);
      arrived.push_back(arrivals.next().at);
      REQUIRE(server.arrive(arrivals.next().at, i, distribution(draws)));
      arrivals.advance();
    }
    depart_until(engine::DisturbedServer::never - 1ns);
    CHECK(left == 50'000);
    CHECK(server.present() == 0);
    CHECK(area == responses);
  }
}
