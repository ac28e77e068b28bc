// A partition of 0 .. size-1 whose sets can only be merged.
//
//   DisjointSets sets(4);
//   sets.join(0, 2);
//   sets.find(2);   // 0: the smallest member of the set
//
// Nearly constant time (path halving). With size 0, every number is a set of its own.
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

  // Merges two sets. Precondition: both numbers are below size.
  void join(std::uint32_t one, std::uint32_t other) noexcept {
    // Common case: the two were joined before.
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
