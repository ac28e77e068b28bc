#include "sim/engine/arrivals.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

using namespace std::chrono_literals;
using spillway::engine::Arrivals;
using spillway::engine::RandomStream;

TEST_CASE("periodic clients take turns at equal distances") {
  Arrivals arrivals(spillway::scenario::Arrivals::periodic, 10.0, 4, RandomStream({}));
  for (int turn = 0; turn < 100; ++turn) {
    CHECK(arrivals.next().at == turn * 25ms);
    CHECK(arrivals.next().client == static_cast<std::uint32_t>(turn % 4));
    arrivals.advance();
  }
}

TEST_CASE("Poisson arrivals have the rate, the variance and the memorylessness of a Poisson process") {
  const double rate = 200.0;
  const std::uint32_t clients = 5;
  Arrivals arrivals(spillway::scenario::Arrivals::poisson, rate, clients, RandomStream({.seed = 5}));
  const int seconds = 2000;
  std::vector<double> in_second(seconds, 0.0);
  std::vector<double> of_client(clients, 0.0);
  while (arrivals.next().at < std::chrono::seconds{seconds}) {
    ++in_second[static_cast<std::size_t>(arrivals.next().at / 1s)];
    ++of_client[arrivals.next().client];
    arrivals.advance();
  }
  const double mean = rate * clients;
  double sum = 0.0;
  double squares = 0.0;
  for (const double count : in_second) {
    sum += count;
    squares += (count - mean) * (count - mean);
  }
  // Counts a second are Poisson: mean and variance 1000. Six standard errors each; the variance of a Poisson sample
  // variance is close to 2 mean^2 / n.
  CHECK(std::abs(sum / seconds - mean) < 6 * std::sqrt(mean / seconds));
  CHECK(std::abs(squares / seconds - mean) < 6 * std::sqrt(2 * mean * mean / seconds));
  for (const double count : of_client) {
    CHECK(std::abs(count - sum / clients) < 6 * std::sqrt(sum / clients));
  }
}
