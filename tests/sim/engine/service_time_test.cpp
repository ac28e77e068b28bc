#include "sim/engine/service_time.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

using namespace std::chrono_literals;
using spillway::engine::RandomStream;
using spillway::engine::ServiceTime;
using spillway::scenario::ServiceDistribution;
using spillway::scenario::ServiceVariation;

namespace {

std::vector<double> sample(const ServiceTime& distribution, int count) {
  RandomStream stream({.seed = 7, .purpose = spillway::engine::Purpose::service});
  std::vector<double> seconds;
  for (int i = 0; i < count; ++i) {
    seconds.push_back(static_cast<double>(distribution(stream).count()) * 1e-9);
  }
  return seconds;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

// The largest distance between the sample's distribution function and the law's (Kolmogorov and Smirnov), times the
// root of the size.
double kolmogorov(std::vector<double> values, double (*distribution)(double)) {
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  double worst = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double expected = distribution(values[i]);
    worst = std::max({worst, std::abs(expected - static_cast<double>(i) / count),
                      std::abs(static_cast<double>(i + 1) / count - expected)});
  }
  return worst * std::sqrt(count);
}

// A Kolmogorov statistic beyond this has a chance of 2 exp(-2 x^2) = 7e-7.
constexpr double unheard_of = 2.73;
constexpr int many = 200'000;

double normal(double x) {
  return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

}  // namespace

TEST_CASE("a constant service time draws nothing") {
  RandomStream stream({.seed = 1});
  const ServiceTime distribution(3ms);
  CHECK(distribution(stream) == 3ms);
  CHECK(stream.draws() == 0);
}

TEST_CASE("service times follow the laws that their names say") {
  const auto distance = [](const ServiceVariation& variation, double (*distribution)(double)) {
    return kolmogorov(sample(ServiceTime(1s, variation), many), distribution);
  };
  SECTION("exponential") {
    CHECK(distance({.distribution = ServiceDistribution::exponential}, [](double x) { return 1.0 - std::exp(-x); }) <
          unheard_of);
  }
  SECTION("lognormal with a coefficient of variation of 1/2") {
    CHECK(distance({.distribution = ServiceDistribution::lognormal, .coefficient_of_variation = 0.5}, [](double x) {
            const double variance = std::log(1.25);
            return normal((std::log(x) + variance / 2.0) / std::sqrt(variance));
          }) < unheard_of);
  }
  SECTION("gamma with a coefficient of variation of 1/sqrt(2) is Erlang's with two phases") {
    CHECK(distance({.distribution = ServiceDistribution::gamma, .coefficient_of_variation = std::sqrt(0.5)},
                   [](double x) { return 1.0 - std::exp(-2.0 * x) * (1.0 + 2.0 * x); }) < unheard_of);
  }
  SECTION("gamma with a coefficient of variation of sqrt(2) is a chi-square with one degree of freedom") {
    CHECK(distance({.distribution = ServiceDistribution::gamma, .coefficient_of_variation = std::sqrt(2.0)},
                   [](double x) { return std::erf(std::sqrt(x / 2.0)); }) < unheard_of);
  }
  SECTION("hyperexponential with balanced means and a coefficient of variation of 2") {
    CHECK(distance({.distribution = ServiceDistribution::hyperexponential, .coefficient_of_variation = 2.0},
                   [](double x) {
                     const double p = 0.5 * (1.0 + std::sqrt(3.0 / 5.0));
                     return 1.0 - p * std::exp(-2.0 * p * x) - (1.0 - p) * std::exp(-2.0 * (1.0 - p) * x);
                   }) < unheard_of);
  }
}

TEST_CASE("every law has the mean and the coefficient of variation that it was given") {
  const auto check = [](const ServiceVariation& variation, double wanted) {
    const std::vector<double> values = sample(ServiceTime(10ms, variation), many);
    const double mean = mean_of(values);
    double squares = 0.0;
    double fourth = 0.0;
    for (const double value : values) {
      squares += (value - mean) * (value - mean);
      fourth += std::pow(value - mean, 4);
    }
    const double variance = squares / many;
    CHECK(std::abs(mean - 0.01) < 6.0 * std::sqrt(variance / many));
    const double spread = std::sqrt((fourth / many - variance * variance) / many);
    CHECK(std::abs(variance - wanted * wanted * 1e-4) < 6.0 * spread);
  };
  check({.distribution = ServiceDistribution::exponential}, 1.0);
  check({.distribution = ServiceDistribution::lognormal, .coefficient_of_variation = 0.7}, 0.7);
  check({.distribution = ServiceDistribution::gamma, .coefficient_of_variation = 0.3}, 0.3);
  check({.distribution = ServiceDistribution::gamma, .coefficient_of_variation = 1.8}, 1.8);
  check({.distribution = ServiceDistribution::hyperexponential, .coefficient_of_variation = 1.5}, 1.5);
  check({.distribution = ServiceDistribution::hyperexponential, .coefficient_of_variation = 1.0}, 1.0);
}

TEST_CASE("empirical service times are the measured ones, as often as their weights say") {
  const ServiceTime distribution(
      0ns, {.distribution = ServiceDistribution::empirical, .measured = {{1ms, 1.0}, {2ms, 2.0}, {9ms, 1.0}}});
  RandomStream stream({.seed = 3});
  int counts[3] = {};
  for (int i = 0; i < 40'000; ++i) {
    const auto time = distribution(stream);
    REQUIRE((time == 1ms || time == 2ms || time == 9ms));
    ++counts[time == 1ms ? 0 : time == 2ms ? 1 : 2];
  }
  // Six standard errors of a binomial count.
  CHECK(std::abs(counts[0] - 10'000) < 6 * std::sqrt(40'000 * 0.25 * 0.75));
  CHECK(std::abs(counts[1] - 20'000) < 6 * std::sqrt(40'000 * 0.5 * 0.5));
}
