#include "models/envoy/edf_scheduler.hpp"

#include <catch2/catch.hpp>

using spillway::envoy::EdfScheduler;

namespace {

using Picks = std::vector<std::uint32_t>;

Picks picks(EdfScheduler schedule, const std::vector<double>& weights, std::size_t count) {
  Picks result;
  for (std::size_t pick = 0; pick < count; ++pick) {
    result.push_back(schedule.pick(weights));
  }
  return result;
}

Picks first_picks(const std::vector<double>& weights, std::uint64_t seeds) {
  Picks counts(weights.size(), 0);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    ++counts[EdfScheduler::seeded(weights, seed).pick(weights)];
  }
  return counts;
}

}  // namespace

TEST_CASE("weights 1 and 2 take turns as Envoy's tests say") {
  const std::vector<double> weights = {1.0, 2.0};
  CHECK(picks(EdfScheduler::seeded(weights, 0), weights, 6) == Picks{1, 0, 1, 1, 0, 1});
  CHECK(picks(EdfScheduler::seeded(weights, 1), weights, 6) == Picks{0, 1, 1, 0, 1, 1});
}

TEST_CASE("over consecutive seeds the first pick follows the weights") {
  CHECK(first_picks({6.0, 3.0, 1.0}, 10) == Picks{6, 3, 1});
  CHECK(first_picks({1.0, 6.0, 3.0}, 10) == Picks{1, 6, 3});
  CHECK(first_picks({25.0, 75.0}, 40) == Picks{10, 30});
  CHECK(first_picks({1.0, 20.0, 79.0}, 100) == Picks{1, 20, 79});
}

TEST_CASE("equal weights take turns in order") {
  const std::vector<double> weights = {1.0, 1.0, 1.0};
  CHECK(picks(EdfScheduler::seeded(weights, 0), weights, 5) == Picks{0, 1, 2, 0, 1});
  CHECK(picks(EdfScheduler::seeded(weights, 2), weights, 4) == Picks{2, 0, 1, 2});
}

TEST_CASE("only the low 32 bits of a seed count, modulo 429496729") {
  const std::vector<double> weights = {1.0, 5.88, 2.1};
  const Picks from_zero = picks(EdfScheduler::seeded(weights, 0), weights, 30);
  CHECK(picks(EdfScheduler::seeded(weights, 429496729), weights, 30) == from_zero);
  CHECK(picks(EdfScheduler::seeded(weights, std::uint64_t{1} << 32U), weights, 30) == from_zero);
}

TEST_CASE("a plain start begins with the heaviest, equals in order") {
  const std::vector<double> weights = {0.84, 2.0};
  CHECK(picks(EdfScheduler::plain(weights, 0), weights, 10) == Picks{1, 1, 0, 1, 1, 0, 1, 1, 1, 0});
  CHECK(picks(EdfScheduler::plain(weights, 2), weights, 3) == Picks{0, 1, 1});
}

TEST_CASE("a weight that changes acts from the entry's next turn") {
  std::vector<double> weights = {1.0, 1.0};
  EdfScheduler schedule = EdfScheduler::plain(weights, 0);
  weights[0] = 4.0;
  // Entry 0 leaves at 1 and returns at 1.25, 1.5, 1.75; entry 1 leaves at 1 and returns at 2, with entry 0 behind it.
  Picks order;
  for (int pick = 0; pick < 6; ++pick) {
    order.push_back(schedule.pick(weights));
  }
  CHECK(order == Picks{0, 1, 0, 0, 0, 1});
}

// Envoy's edf_scheduler.h counts a pick as made only if its deadline lies before that of the last one.
TEST_CASE(
    "a seeded schedule goes on as if so many picks had been made, with those that are due at that very moment left") {
  const std::vector<double> weights = {3.0, 6.0, 4.0, 3.0};
  const Picks from_zero = picks(EdfScheduler::seeded(weights, 0), weights, 64);
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 8U, 16U, 20U}) {
    const auto begin = from_zero.begin() + static_cast<std::ptrdiff_t>(seed);
    CHECK(picks(EdfScheduler::seeded(weights, seed), weights, 20) == Picks(begin, begin + 20));
  }
}
