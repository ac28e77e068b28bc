#include "sim/statistics/goodness_of_fit.hpp"

#include <catch2/catch.hpp>

using namespace spillway::statistics;

TEST_CASE("counts that are their shares fit perfectly") {
  CHECK(chance_of_counts({{600, 0.6}, {400, 0.4}}) == Approx(1.0));
}

TEST_CASE("the chance is that of chi-square with one degree less than categories") {
  // G = 2 (60 ln 1.2 + 40 ln 0.8) = 4.0271; P(chi-square of 1 degree > 4.0271) = erfc(sqrt(4.0271 / 2)).
  CHECK(chance_of_counts({{60, 0.5}, {40, 0.5}}) == Approx(0.04477).margin(1e-5));
  // G = 2 (50 ln 1.5 + 30 ln 0.9 + 20 ln 0.6) = 13.7915; of 2 degrees: exp(-G / 2).
  CHECK(chance_of_counts({{50, 1.0 / 3.0}, {30, 1.0 / 3.0}, {20, 1.0 / 3.0}}) == Approx(0.0010119).margin(1e-6));
}

TEST_CASE("a single request where none can go is impossible") {
  CHECK(chance_of_counts({{999999, 1.0}, {1, 0.0}}) == 0.0);
  CHECK(chance_of_counts({{1000000, 1.0}, {0, 0.0}}) == 1.0);
}

TEST_CASE("no counts say nothing") {
  CHECK(chance_of_counts({{0, 0.3}, {0, 0.7}}) == 1.0);
}

TEST_CASE("thin categories are added up until they expect five") {
  const auto thick = without_thin_categories({{1, 0.02}, {90, 0.9}, {2, 0.03}, {7, 0.05}});
  REQUIRE(thick.size() == 3);
  CHECK(thick[0].count == 3);
  CHECK(thick[0].share == Approx(0.05));
  CHECK(thick[2].count == 90);
  // A count where none can be stays what it is: impossible.
  CHECK(chance_of_counts(without_thin_categories({{99, 1.0}, {1, 0.0}})) == 0.0);
}
