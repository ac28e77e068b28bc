#include "reports/import/rate_fit.hpp"

#include <catch2/catch.hpp>

using namespace spillway;
using reports::importing::fit_rates;
using Guesses = std::vector<char>;

TEST_CASE("counts that determine all rates are met exactly") {
  // 50 / 0.7 = 71.43, of which 30 % are 21.43; 100 - 21.43 = 78.57.
  const auto fitted = fit_rates({100.0, 50.0}, {{{0, 0.3}, {1, 0.7}}, {{0, 1.0}}});
  CHECK(fitted.rates[0] == Approx(500.0 / 7.0).epsilon(1e-9));
  CHECK(fitted.rates[1] == Approx(100.0 - 150.0 / 7.0).epsilon(1e-9));
  CHECK(fitted.is_guess == Guesses{0, 0});
  CHECK(fitted.sent[0] == Approx(100.0).epsilon(1e-9));
  CHECK(fitted.sent[1] == Approx(50.0).epsilon(1e-9));
}

TEST_CASE("splits that are nearly alike are told apart by exact counts") {
  // x / 2 + 0.51 y = 0.5 * 200 + 0.51 * 100, x / 2 + 0.49 y = 0.5 * 200 + 0.49 * 100.
  const auto fitted = fit_rates({151.0, 149.0}, {{{0, 0.5}, {1, 0.5}}, {{0, 0.51}, {1, 0.49}}});
  CHECK(fitted.rates[0] == Approx(200.0).epsilon(1e-6));
  CHECK(fitted.rates[1] == Approx(100.0).epsilon(1e-6));
  CHECK(fitted.is_guess == Guesses{0, 0});
}

TEST_CASE("routes of one cluster share its count evenly, as a guess") {
  const auto fitted = fit_rates({90.0, 7.0}, {{{0, 1.0}}, {{0, 1.0}}, {{0, 1.0}}, {{1, 1.0}}});
  CHECK(fitted.rates == std::vector<double>{30.0, 30.0, 30.0, 7.0});
  CHECK(fitted.is_guess == Guesses{1, 1, 1, 0});
}

TEST_CASE("what a determined split leaves of a count is shared evenly by the other routes") {
  // As above, and 78.57 for two.
  const auto fitted = fit_rates({100.0, 50.0}, {{{0, 0.3}, {1, 0.7}}, {{0, 1.0}}, {{0, 1.0}}});
  CHECK(fitted.rates[0] == Approx(500.0 / 7.0).epsilon(1e-9));
  CHECK(fitted.rates[1] == Approx(275.0 / 7.0).epsilon(1e-9));
  CHECK(fitted.rates[2] == Approx(275.0 / 7.0).epsilon(1e-9));
  CHECK(fitted.is_guess == Guesses{0, 1, 1});
}

TEST_CASE("an even split that fits all counts is kept") {
  // Half of each cluster's count by its own route: 50 and 50, and 100 by the one that sends half to each.
  const auto fitted = fit_rates({100.0, 100.0}, {{{0, 1.0}}, {{1, 1.0}}, {{0, 0.5}, {1, 0.5}}});
  CHECK(fitted.rates == std::vector<double>{50.0, 50.0, 100.0});
  CHECK(fitted.is_guess == Guesses{1, 1, 1});
}

TEST_CASE("no rate is below 0, and counts that contradict each other are missed by the same squares of their parts") {
  // ((0.3 x - 30) / 30)^2 + ((0.7 x - 35) / 35)^2 is least at x = 60; a negative second rate would meet both.
  const auto fitted = fit_rates({30.0, 35.0}, {{{0, 0.3}, {1, 0.7}}, {{1, 1.0}}});
  CHECK(fitted.rates[0] == Approx(60.0).epsilon(1e-9));
  CHECK(fitted.rates[1] == 0.0);
  CHECK(fitted.is_guess == Guesses{0, 0});
  CHECK(fitted.sent[0] == Approx(18.0).epsilon(1e-9));
  CHECK(fitted.sent[1] == Approx(42.0).epsilon(1e-9));
}

TEST_CASE("clusters without a request, and few requests that chance decides, do not overrule the others") {
  const auto none = fit_rates({0.0, 0.0}, {{{0, 1.0}}, {{0, 0.5}, {1, 0.5}}});
  CHECK(none.rates == std::vector<double>{0.0, 0.0});
  // 1 of 1,000 goes to the first: none among 500 is no wonder. Against 1 % of 500 instead of 0, x is least off at
  // (0.999 / 500) / ((0.999 / 500)^2 + (0.001 / 5)^2) = 495.5.
  const auto few = fit_rates({0.0, 500.0}, {{{0, 0.001}, {1, 0.999}}});
  CHECK(few.rates[0] == Approx((0.999 / 500.0) / (0.999 * 0.999 / 250'000.0 + 0.000'001 / 25.0)).epsilon(1e-9));
}

TEST_CASE("a thousand routes that share a cluster with one of their own each are fitted") {
  // Route i sends half to the shared cluster and half to its own, where 1 + i were counted.
  std::vector<double> counted = {0.0};
  std::vector<std::vector<reports::importing::RoutePart>> routes;
  for (std::size_t route = 0; route < 1000; ++route) {
    counted.push_back(static_cast<double>(1 + route));
    counted[0] += counted.back();
    routes.push_back({{0, 0.5}, {route + 1, 0.5}});
  }
  const auto fitted = fit_rates(counted, routes);
  for (std::size_t route = 0; route < 1000; ++route) {
    REQUIRE(fitted.rates[route] == Approx(2.0 * static_cast<double>(1 + route)).epsilon(1e-6));
    REQUIRE(fitted.is_guess[route] == 0);
  }
}
