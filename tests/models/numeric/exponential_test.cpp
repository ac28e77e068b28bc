#include "models/numeric/exponential.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "sim/engine/random_stream.hpp"

using spillway::numeric::exponential;

TEST_CASE("e to the power of zero is exactly one") {
  CHECK(exponential(0.0) == 1.0);
}

TEST_CASE("beyond the range of doubles e to the power of x is infinity or zero") {
  CHECK(std::isinf(exponential(709.5)));
  CHECK(exponential(-708.5) == 0.0);
}

TEST_CASE("e to the power of x is within one unit in the last place of the long double one") {
  spillway::engine::RandomStream stream({.seed = 1});
  double worst = 0.0;
  for (int index = 0; index < 200'000; ++index) {
    const double x = (spillway::engine::unit_interval(stream) - 0.5) * (index % 3 == 0 ? 1400.0 : 4.0);
    const long double wanted = std::exp(static_cast<long double>(x));
    const auto nearest = static_cast<double>(wanted);
    const double unit = std::nextafter(nearest, 1e308) - nearest;
    worst = std::max(worst, static_cast<double>(std::abs(wanted - static_cast<long double>(exponential(x)))) / unit);
  }
  CHECK(worst <= 1.0);
}
