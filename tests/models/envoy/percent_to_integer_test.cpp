#include "models/envoy/percent_to_integer.hpp"

#include <catch2/catch.hpp>

using spillway::config::Percent;
using spillway::envoy::percent_to_integer;

TEST_CASE("of the whole percentages only 29, 57 and 58 lose one") {
  for (unsigned percent = 0; percent <= 100; ++percent) {
    const bool moves = percent == 29 || percent == 57 || percent == 58;
    CHECK(percent_to_integer(Percent{static_cast<double>(percent)}) == (moves ? percent - 1 : percent));
  }
}

TEST_CASE("fractions of a percent are cut off") {
  CHECK(percent_to_integer(Percent{70.9}) == 70);
  CHECK(percent_to_integer(Percent{0.9}) == 0);
}
