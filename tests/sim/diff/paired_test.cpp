// Intervals of means of paired replications.
#include "sim/diff/paired.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>

using namespace spillway;

TEST_CASE("the interval of a mean is the quantile times the standard error") {
  // Mean 3, sum of squares 10: standard deviation sqrt(2.5), standard error sqrt(0.5); 4 degrees of freedom: 2.776.
  constexpr std::array<double, 5> values{1.0, 2.0, 3.0, 4.0, 5.0};
  CHECK(diff::mean(values) == 3.0);
  CHECK(diff::half_width(values, 0.05) == Approx(2.776445 * std::sqrt(0.5)).epsilon(1e-6));
  constexpr std::array<double, 3> alike{0.1, 0.1, 0.1};
  CHECK(diff::mean(alike) == 0.1);
  CHECK(diff::half_width(alike, 0.05) == 0.0);
}
