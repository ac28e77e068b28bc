// Quantiles as printed tables of Student's t distribution have them.
#include "sim/diff/paired.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>

using namespace spillway;

TEST_CASE("Student's quantiles are those of the printed tables, both tails together") {
  struct Printed {
    double outside;
    std::size_t degrees_of_freedom;
    double quantile;
  };
  constexpr std::array<Printed, 10> table{{{0.05, 1, 12.706},
                                           {0.01, 1, 63.657},
                                           {0.05, 2, 4.303},
                                           {0.001, 3, 12.924},
                                           {0.01, 4, 4.604},
                                           {0.05, 9, 2.262},
                                           {0.001, 9, 4.781},
                                           {0.01, 10, 3.169},
                                           {0.01, 29, 2.756},
                                           {0.05, 120, 1.980}}};
  for (const Printed& of : table) {
    CAPTURE(of.outside, of.degrees_of_freedom);
    CHECK(std::abs(diff::student_quantile(of.outside, of.degrees_of_freedom) - of.quantile) < 0.0005 + 1e-9);
  }
}

TEST_CASE("the interval of a mean is the quantile times the standard error") {
  // Mean 3, sum of squares 10: standard deviation sqrt(2.5), standard error sqrt(0.5); 4 degrees of freedom: 2.776.
  constexpr std::array<double, 5> values{1.0, 2.0, 3.0, 4.0, 5.0};
  CHECK(diff::mean(values) == 3.0);
  CHECK(diff::half_width(values, 0.05) == Approx(2.776445 * std::sqrt(0.5)).epsilon(1e-6));
  constexpr std::array<double, 3> alike{0.1, 0.1, 0.1};
  CHECK(diff::mean(alike) == 0.1);
  CHECK(diff::half_width(alike, 0.05) == 0.0);
}
