#include "models/numeric/logarithm.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/engine/random_stream.hpp"

using spillway::numeric::natural_logarithm;

TEST_CASE("the logarithm of one is exactly zero") {
  CHECK(natural_logarithm(1.0) == 0.0);
}

TEST_CASE("the logarithm is within one unit in the last place of the long double one") {
  spillway::engine::RandomStream stream({.seed = 1});
  double worst = 0.0;
  for (int index = 0; index < 200'000; ++index) {
    const double x = spillway::engine::unit_interval(stream) * (index % 3 == 0 ? 1e12 : 1.0);
    const long double wanted = std::log(static_cast<long double>(x));
    const auto nearest = static_cast<double>(wanted);
    const double unit = std::nextafter(std::abs(nearest), 1e300) - std::abs(nearest);
    worst =
        std::max(worst, static_cast<double>(std::abs(wanted - static_cast<long double>(natural_logarithm(x)))) / unit);
  }
  CHECK(worst <= 1.0);
}

TEST_CASE("many logarithms at a time are the same doubles as one by one") {
  spillway::engine::RandomStream stream({.seed = 2});
  std::vector<double> values;
  for (int index = 0; index < 1001; ++index) {
    values.push_back(spillway::engine::unit_interval(stream) * (index % 3 == 0 ? 1e12 : index % 3 == 1 ? 1e-300 : 1.0));
  }
  std::vector<double> all = values;
  spillway::numeric::natural_logarithms(all.data(), all.size());
  for (std::size_t index = 0; index < values.size(); ++index) {
    REQUIRE(std::bit_cast<std::uint64_t>(all[index]) == std::bit_cast<std::uint64_t>(natural_logarithm(values[index])));
  }
}
