#include "models/numeric/power.hpp"

#include <catch2/catch.hpp>
#include <limits>

using spillway::numeric::power;

TEST_CASE("powers are the nearest doubles") {
  // Computed with 60 digits.
  CHECK(power(0.9, 1.0 / 1.5) == 0.9321697517861577);
  CHECK(power(0.7, 1.0 / 0.9) == 0.6728011283256631);
  CHECK(power(2.0, 0.9) == 1.8660659830736148);
  CHECK(power(3.0, 0.9) == 2.6878753795222865);
  CHECK(power(10.0, 0.5) == 3.1622776601683795);
  CHECK(power(1e-300, 1.02) == 9.999999999999877e-307);
}

TEST_CASE("powers that are doubles come out without error") {
  CHECK(power(4.0, 2.0) == 16.0);
  CHECK(power(3.0, 30.0) == 205891132094649.0);
  CHECK(power(0.25, 0.5) == 0.5);
  CHECK(power(1.0, 1e9) == 1.0);
  CHECK(power(7.5, 0.0) == 1.0);
  CHECK(power(7.5, 1.0) == 7.5);
  CHECK(power(0.0, 2.0) == 0.0);
}

TEST_CASE("what is beyond the doubles is infinity or zero") {
  CHECK(power(10.0, 400.0) == std::numeric_limits<double>::infinity());
  CHECK(power(10.0, -400.0) == 0.0);
  CHECK(power(0.5, 1e300) == 0.0);
  CHECK(power(0.0, 0.001) == 0.0);
  CHECK(power(0.0, 1e-300) == 0.0);
}
