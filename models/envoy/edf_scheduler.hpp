// Envoy's earliest-deadline-first schedule: each pick of entry i advances its deadline by 1 / weight i.
//
//   const std::vector<double> weights = {1.0, 2.0};
//   EdfScheduler schedule = EdfScheduler::seeded(weights, 0);
//   schedule.pick(weights);   // 1, then 0, 1, 1, 0, 1 ...
//
// Over any stretch of picks, an entry's count deviates from its share weight / sum by less than the number of entries.
// Equal deadlines leave in order of insertion. Building is O(n log n); a pick is O(log n) without allocation.
// Source: docs/behaviour/envoy-before-pick.md 9; Envoy's edf_scheduler.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace spillway::envoy {

class EdfScheduler {
 public:
  EdfScheduler() = default;  // without entries: empty()

  // Starts a schedule as Envoy does since about 1.30: as if (seed's low 32 bits) mod 429496729 picks had been made,
  // computed with only a few picks. Precondition: all weights are above 0.
  [[nodiscard]] static EdfScheduler seeded(std::span<const double> weights, std::uint64_t seed);

  // Starts a schedule as older releases do: entries in order, then `picks` picks.
  [[nodiscard]] static EdfScheduler plain(std::span<const double> weights, std::uint64_t picks);

  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }

  // Returns the next entry's position and reinserts the entry with its current weight, weight(position).
  template <class Weight>
  std::uint32_t pick_by(Weight weight) noexcept {
    if (!peeked_.empty()) {
      const std::uint32_t position = peeked_.front();
      peeked_.erase(peeked_.begin());
      return position;
    }
    return advance(weight);
  }
  std::uint32_t pick(std::span<const double> weights) noexcept {
    return pick_by([weights](std::uint32_t position) { return weights[position]; });
  }

  // Returns the position of a later pick; each further peek looks one pick further ahead. Entries advance at once, so
  // the current weights count. Allocates.
  template <class Weight>
  std::uint32_t peek_by(Weight weight) {
    peeked_.push_back(advance(weight));
    return peeked_.back();
  }

 private:
  template <class Weight>
  std::uint32_t advance(Weight weight) noexcept {
    Entry& first = entries_.front();
    const std::uint32_t position = first.position;
    now_ = first.deadline;
    first.deadline = now_ + 1.0 / weight(position);
    first.order = next_order_++;
    sink_first();
    return position;
  }
  struct Entry {
    double deadline = 0.0;
    std::uint64_t order = 0;
    std::uint32_t position = 0;

    [[nodiscard]] bool before(const Entry& other) const noexcept {
      return deadline < other.deadline || (deadline == other.deadline && order < other.order);
    }
  };

  // Restores the heap property after its first entry has increased.
  void sink_first() noexcept {
    const Entry sinking = entries_.front();
    const std::size_t size = entries_.size();
    std::size_t hole = 0;
    for (std::size_t child = 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && entries_[child + 1].before(entries_[child])) {
        ++child;
      }
      if (!entries_[child].before(sinking)) {
        break;
      }
      entries_[hole] = entries_[child];
      hole = child;
    }
    entries_[hole] = sinking;
  }

  void build_heap();

  std::vector<Entry> entries_;         // a binary min-heap
  std::vector<std::uint32_t> peeked_;  // peeked, but not yet picked
  double now_ = 0.0;
  std::uint64_t next_order_ = 0;
};

}  // namespace spillway::envoy
