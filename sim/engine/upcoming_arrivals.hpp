// The arrivals of several client entries in the order of time, some of them known in advance.
//
//   UpcomingArrivals upcoming({&first, &second});
//   upcoming.begin(10s);
//   while (!upcoming.empty()) {
//     if (const auto* soon = upcoming.peek(8)) { ... }   // the ninth; null if not known yet
//     const auto [entry, arrival] = upcoming.next();
//     upcoming.pop();
//   }
//
// The order is that of MergedArrivals (merged_arrivals.hpp).
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

  // Lifetime: `arrivals` must outlive this object.
  explicit UpcomingArrivals(std::vector<Arrivals*> arrivals) : merged_(std::move(arrivals)) {}

  // Starts with the arrivals before `limit`. Precondition: empty().
  void begin(Nanoseconds limit) {
    merged_.begin(limit);
    while (size_ < known && !merged_.empty()) {
      line_[(first_ + size_++) % known] = merged_.pop();
    }
  }

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  // Returns the next arrival. Precondition: not empty.
  [[nodiscard]] const MergedArrivals::Next& next() const noexcept { return line_[first_]; }
  void pop() {
    if (merged_.empty()) {
      --size_;
    } else {
      line_[first_] = merged_.pop();
    }
    first_ = (first_ + 1) % known;
  }

  // Returns the arrival after `others` more; null if it is not known yet. Precondition: `others` < `known`.
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
