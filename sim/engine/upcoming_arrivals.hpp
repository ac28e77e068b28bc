// The arrivals of several client entries in the order of time, some of which are known before they come.
//
//   UpcomingArrivals upcoming({&first, &second});
//   upcoming.begin(10s);
//   while (!upcoming.empty()) {
//     if (const auto* soon = upcoming.peek(8)) { ... }   // the ninth; null: it is not known yet
//     const auto [entry, arrival] = upcoming.next();
//     upcoming.pop();
//   }
//
// As MergedArrivals (merged_arrivals.hpp), in whose order they come.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "sim/engine/merged_arrivals.hpp"

namespace spillway::engine {

class UpcomingArrivals {
 public:
  static constexpr std::size_t known = 64;

  // They must outlive this.
  explicit UpcomingArrivals(std::vector<Arrivals*> arrivals) : merged_(std::move(arrivals)) {}

  // From now on those before `limit`; there must be none left.
  void begin(Nanoseconds limit) {
    merged_.begin(limit);
    while (size_ < known && !merged_.empty()) {
      line_[(first_ + size_++) % known] = merged_.pop();
    }
  }

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  // There must be one.
  [[nodiscard]] const MergedArrivals::Next& next() const noexcept { return line_[first_]; }
  void pop() {
    if (merged_.empty()) {
      --size_;
    } else {
      line_[first_] = merged_.pop();
    }
    first_ = (first_ + 1) % known;
  }

  // The one after so many others; below `known`.
  [[nodiscard]] const MergedArrivals::Next* peek(std::size_t others) const noexcept {
    return others < size_ ? &line_[(first_ + others) % known] : nullptr;
  }

 private:
  MergedArrivals merged_;
  std::array<MergedArrivals::Next, known> line_{};  // a ring
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace spillway::engine
