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

TEST_CASE("uniform arrivals have distances from nothing to twice the mean") {
  Arrivals arrivals(spillway::scenario::Arrivals::uniform, 100.0, 4, RandomStream({.seed = 3}));
  const int count = 100'000;
  double sum = 0.0;
  double squares = 0.0;
  std::chrono::nanoseconds before{0};
  for (int i = 0; i < count; ++i) {
    const double gap = std::chrono::duration<double>(arrivals.next().at - before).count();
    before = arrivals.next().at;
    REQUIRE(gap <= 2.0 / 400.0 + 1e-9);
    sum += gap;
    squares += gap * gap;
    arrivals.advance();
  }
  // A uniform law from 0 to 2 m has the mean m and the variance m^2 / 3; six standard errors.
  const double mean = 1.0 / 400.0;
  CHECK(std::abs(sum / count - mean) < 6 * mean / std::sqrt(3.0 * count));
  CHECK(squares / count == Approx(4.0 / 3.0 * mean * mean).epsilon(0.02));
}

TEST_CASE("on a ramp periodic arrivals come when their numbers are to be expected") {
  // From 0 to 10 requests a second in 10 s: t^2 / 2 of them until t.
  Arrivals arrivals(spillway::scenario::Arrivals::periodic, 0.0, 1, RandomStream({}), 1.0);
  for (int number = 0; number < 50; ++number) {
    CHECK(std::abs(static_cast<double>(arrivals.next().at.count()) - 1e9 * std::sqrt(2.0 * number)) < 2.0);
    arrivals.advance();
  }
  // From 10 to 0 in 10 s: 50 of them, and then none any more.
  Arrivals falling(spillway::scenario::Arrivals::periodic, 10.0, 1, RandomStream({}), -1.0);
  int count = 0;
  for (; falling.next().at < Arrivals::never; falling.advance()) {
    ++count;
  }
  CHECK(count == 51);  // the first and the last one come at the very ends
}

TEST_CASE("on a ramp Poisson arrivals are as many in each part as the rate says") {
  // From 50 to 150 requests a second of 2 clients in 1000 s: 75,000 and 125,000 in the halves.
  Arrivals arrivals(spillway::scenario::Arrivals::poisson, 50.0, 2, RandomStream({.seed = 8}), 0.1);
  double halves[2] = {};
  while (arrivals.next().at < 1000s) {
    ++halves[arrivals.next().at < 500s ? 0 : 1];
    arrivals.advance();
  }
  CHECK(std::abs(halves[0] - 75'000.0) < 6 * std::sqrt(75'000.0));
  CHECK(std::abs(halves[1] - 125'000.0) < 6 * std::sqrt(125'000.0));
}

TEST_CASE("arrivals taken in batches are those taken one by one") {
  for (const auto kind : {spillway::scenario::Arrivals::poisson, spillway::scenario::Arrivals::uniform,
                          spillway::scenario::Arrivals::periodic}) {
    Arrivals one(kind, 1000.0, 7, RandomStream({.seed = 4}));
    Arrivals batch = one;
    for (std::chrono::nanoseconds limit = 1ms; limit < 20s; limit = limit * 3 / 2) {
      for (auto taken = batch.take(limit); !taken.empty(); taken = batch.take(limit)) {
        for (const spillway::engine::Arrival& arrival : taken) {
          REQUIRE(arrival.at == one.next().at);
          REQUIRE(arrival.client == one.next().client);
          one.advance();
        }
      }
      REQUIRE(one.next().at >= limit);
      REQUIRE(one.next().at == batch.next().at);
      REQUIRE(one.stream().fingerprint() == batch.stream().fingerprint());
      REQUIRE(one.stream().draws() == batch.stream().draws());
    }
  }
}
