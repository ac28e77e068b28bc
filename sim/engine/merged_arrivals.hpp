// The arrivals of several client entries in the order of time, computed one batch per entry at a time.
//
//   MergedArrivals merged({&first, &second});
//   merged.begin(10s);
//   while (!merged.empty()) { const auto [entry, arrival] = merged.pop(); }
//
// At equal times the first entry's arrival comes first. pop is O(log entries). Before an entry's rate changes it has to
// be empty; call begin() again afterwards.
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
    std::uint32_t entry = 0;  // position among the given entries
    Arrival arrival = {};
  };

  // Lifetime: `arrivals` must outlive this object.
  explicit MergedArrivals(std::vector<Arrivals*> arrivals)
      : arrivals_(std::move(arrivals)), batches_(arrivals_.size()) {}

  // Starts with the arrivals before `limit`. Precondition: those before the limit of the last call have been popped.
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

  // Returns the time of the next arrival. Precondition: not empty.
  [[nodiscard]] Nanoseconds next_time() const noexcept { return next_.top().at; }

  // Removes and returns the next arrival. Precondition: not empty.
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
