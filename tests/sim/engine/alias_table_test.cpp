#include "sim/engine/alias_table.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "sim/engine/random_stream.hpp"
#include "tests/support/g_test.hpp"

using spillway::engine::AliasTable;
using spillway::engine::Purpose;
using spillway::engine::RandomStream;

TEST_CASE("an alias table draws positions by their weights") {
  const std::vector<double> weights = {5.0, 1.0, 0.5, 3.0, 0.5};
  const AliasTable table(weights);
  RandomStream draw({1, Purpose::requests, 0});
  std::vector<std::uint64_t> counts(weights.size(), 0);
  for (int number = 0; number < 100000; ++number) {
    ++counts[table(draw)];
  }
  std::vector<double> probabilities;
  for (const double weight : weights) {
    probabilities.push_back(weight / 10.0);
  }
  CHECK(spillway::support::g_test(counts, probabilities) > 1e-6);
  CHECK(draw.draws() == 100000);
}

TEST_CASE("an alias table of one position needs no luck") {
  const std::vector<double> weights = {7.0};
  const AliasTable table(weights);
  RandomStream draw({1, Purpose::requests, 0});
  CHECK(table.size() == 1);
  CHECK(table(draw) == 0);
}
