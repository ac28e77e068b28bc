#include "models/numeric/remainder.hpp"

#include <catch2/catch.hpp>

#include "sim/engine/random_stream.hpp"

using spillway::engine::RandomStream;
using spillway::numeric::Remainder;

TEST_CASE("remainders without dividing are the remainders") {
  RandomStream draw({.seed = 3});
  for (const std::uint64_t divisor : {1UL, 2UL, 3UL, 7UL, 10UL, 64UL, 100UL, 999UL, 65537UL, 4294967295UL, 4294967296UL,
                                      6700417UL * 641UL, (1UL << 63U) - 1, 1UL << 63U}) {
    const Remainder by(divisor);
    for (const std::uint64_t number :
         {0UL, 1UL, divisor - 1, divisor, divisor + 1, 2 * divisor - 1, UINT64_MAX - 1, UINT64_MAX}) {
      CHECK(by(number) == number % divisor);
    }
    for (int i = 0; i < 10'000; ++i) {
      const std::uint64_t number = draw() >> (i % 64);
      REQUIRE(by(number) == number % divisor);
      const std::uint64_t multiple = number / divisor * divisor;
      REQUIRE(by(multiple) == 0);
      REQUIRE(by(multiple - 1) == (multiple - 1) % divisor);
    }
  }
}
