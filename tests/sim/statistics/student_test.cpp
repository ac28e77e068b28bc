// Quantiles as printed tables of Student's t distribution have them.
#include "sim/statistics/student.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>

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
    CHECK(std::abs(statistics::student_quantile(of.outside, of.degrees_of_freedom) - of.quantile) < 0.0005 + 1e-9);
    if (of.outside == 0.05) {
      CHECK(std::abs(statistics::student_quantile_95(of.degrees_of_freedom) - of.quantile) < 0.0005 + 1e-9);
    }
  }
}

TEST_CASE("Student's quantiles for 95 % are the bisected ones to six digits, at any number of replications") {
  for (std::size_t degrees_of_freedom = 1; degrees_of_freedom <= 300; ++degrees_of_freedom) {
    CAPTURE(degrees_of_freedom);
    CHECK(statistics::student_quantile_95(degrees_of_freedom) ==
          Approx(statistics::student_quantile(0.05, degrees_of_freedom)).epsilon(0.0).margin(2e-6));
  }
}
