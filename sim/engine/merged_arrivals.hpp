// The arrivals of several client entries in the order of time, worked out a batch of each entry at a time.
//
//   MergedArrivals merged({&first, &second});
//   merged.begin(10s);
//   while (!merged.empty()) { const auto [entry, arrival] = merged.pop(); }
//
// Of equal times the first entry's comes first. pop is O(log entries). An entry whose rate changes has to be empty:
// begin() is to be called again afterwards.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/engine/arrivals.hpp"
#include "sim/engine/entry_heap.hpp"

namespace spillway::engine {

class MergedArrivals {
 public:
  struct Next {
    std::uint32_t entry = 0;  // which of those given
    Arrival arrival = {};
  };

  // They must outlive this.
  explicit MergedArrivals(std::vector<Arrivals*> arrivals)
      : arrivals_(std::move(arrivals)), batches_(arrivals_.size()) {}

  // From now on those before `limit`; those before the limit of the last call must have been popped.
  void begin(Nanoseconds limit) {
    limit_ = limit;
    for (std::uint32_t entry = 0; entry < arrivals_.size(); ++entry) {
      batches_[entry] = arrivals_[entry]->take(limit_);
      if (!batches_[entry].empty()) {
        next_.push({batches_[entry].front().at, entry});
      }
    }
  }

  [[nodiscard]] bool empty() const noexcept { return next_.empty(); }

  // There must be one.
  [[nodiscard]] Nanoseconds next_time() const noexcept { return next_.top().at; }

  // There must be one.
  [[nodiscard]] Next pop() {
    const auto entry = static_cast<std::uint32_t>(next_.top().order);
    std::span<const Arrival>& batch = batches_[entry];
    const Next next{entry, batch.front()};
    batch = batch.subspan(1);
    if (batch.empty()) {
      batch = arrivals_[entry]->take(limit_);
    }
    if (batch.empty()) {
      next_.pop();
    } else {
      next_.replace_top({batch.front().at, entry});
    }
    return next;
  }

 private:
  std::vector<Arrivals*> arrivals_;
  std::vector<std::span<const Arrival>> batches_;
  EntryHeap next_;
  Nanoseconds limit_{0};
};

}  // namespace spillway::engine
