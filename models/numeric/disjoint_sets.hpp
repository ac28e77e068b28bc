// A partition of 0 .. size-1 that only grows coarser.
//
//   DisjointSets sets(4);
//   sets.join(0, 2);
//   sets.find(2);   // 0: the smallest member of the set
//
// Nearly constant time (path halving). Of size 0: every number is a set of its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace spillway::numeric {

class DisjointSets {
 public:
  DisjointSets() = default;
  explicit DisjointSets(std::uint32_t size) : parents_(size) { std::iota(parents_.begin(), parents_.end(), 0U); }

  [[nodiscard]] std::uint32_t find(std::uint32_t member) noexcept {
    if (parents_.empty()) {
      return member;
    }
    std::uint32_t* const parents = parents_.data();
    while (parents[member] != member) {
      member = parents[member] = parents[parents[member]];
    }
    return member;
  }

  // Requires a size above both.
  void join(std::uint32_t one, std::uint32_t other) noexcept {
    // As most are that have been joined before.
    if (parents_[one] == parents_[other]) {
      return;
    }
    one = find(one);
    other = find(other);
    parents_[std::max(one, other)] = std::min(one, other);
  }

 private:
  std::vector<std::uint32_t> parents_;
};

}  // namespace spillway::numeric
