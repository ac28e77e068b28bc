// Decisions of the generators of scenarios, by a seed.
//
//   Dice dice(7);
//   if (dice.chance(30)) { policy = dice.one_of<std::string>({"RANDOM", "MAGLEV"}); }
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/support/draws.hpp"

namespace spillway::metamorphic {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : draws_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return draws_() % bound; }
  bool chance(std::uint64_t percent) { return below(100) < percent; }
  template <class Value>
  Value one_of(const std::vector<Value>& values) {
    return values[below(values.size())];
  }
  // Puts the list into another order.
  template <class List>
  void shuffle(List& list) {
    for (std::size_t left = list.size(); left > 1; --left) {
      std::swap(list[left - 1], list[below(left)]);
    }
  }

 private:
  support::Draws draws_;
};

}  // namespace spillway::metamorphic
