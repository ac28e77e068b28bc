#include "sim/engine/random_stream.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>

using spillway::engine::Purpose;
using spillway::engine::RandomStream;
using spillway::engine::unit_interval;

TEST_CASE("streams of different seeds, purposes, entities and replications differ, equal ones agree") {
  std::set<std::uint64_t> first_draws;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    for (const Purpose purpose : {Purpose::arrivals, Purpose::balancing}) {
      for (std::uint64_t entity = 0; entity < 50; ++entity) {
        for (std::uint64_t replication = 0; replication < 3; ++replication) {
          RandomStream stream({seed, purpose, entity, replication});
          RandomStream twin({seed, purpose, entity, replication});
          const std::uint64_t draw = stream();
          first_draws.insert(draw);
          CHECK(twin() == draw);
        }
      }
    }
  }
  CHECK(first_draws.size() == 3 * 2 * 50 * 3);
}

TEST_CASE("a unit interval is never zero and has mean one half") {
  RandomStream stream({.seed = 3});
  const int draws = 1'000'000;
  double sum = 0.0;
  double least = 1.0;
  for (int index = 0; index < draws; ++index) {
    const double unit = unit_interval(stream);
    sum += unit;
    least = std::min(least, unit);
  }
  CHECK(least > 0.0);
  // Six standard errors of the mean of a million uniform numbers.
  CHECK(std::abs(sum / draws - 0.5) < 6 * std::sqrt(1.0 / 12.0 / draws));
  CHECK(stream.draws() == draws);
}
