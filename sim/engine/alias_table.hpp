// Draws a position by weight in constant time (Walker's alias method, built as by Vose).
//
//   AliasTable keys(weights);
//   keys(stream);             // position p with probability weights[p] / sum
//
// One 64-bit draw each: the upper half chooses a column, the lower half one of its two positions. A probability is off
// by less than 2^-32. Building is O(n). Memory: 8 bytes per position.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace spillway::engine {

class AliasTable {
 public:
  AliasTable() = default;
  // Precondition: at least one weight; all are above 0 and finite.
  explicit AliasTable(std::span<const double> weights);

  [[nodiscard]] std::size_t size() const noexcept { return columns_.size(); }

  template <class Draw>
  [[nodiscard]] std::uint32_t operator()(Draw& draw) const {
    const std::uint64_t bits = draw();
    const auto column = static_cast<std::uint32_t>(((bits >> 32U) * columns_.size()) >> 32U);
    const bool own = static_cast<std::uint32_t>(bits) < columns_[column].own_part;
    return own ? column : columns_[column].other;
  }

 private:
  struct Column {
    std::uint32_t own_part = UINT32_MAX;  // of 2^32
    std::uint32_t other = 0;
  };
  std::vector<Column> columns_;
};

}  // namespace spillway::engine
