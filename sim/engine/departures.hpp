// Items in flight and their end times, for callers that only need to know which have ended.
//
//   Departures<Pair> departures;
//   departures.push(answer_at, {client, host});
//   departures.end_until(now, [&](Pair pair) { --in_flight[pair]; }, [](Pair) {});
//
// All items whose time has come leave together, in any order: cheaper than Calendar (calendar.hpp), which sorts them.
// push is O(1); end_until is O(1) per leaving item as long as gaps change slowly. Memory is allocated only while more
// are in flight than ever before: 24 bytes each, plus `What`.
//
// A wheel of buckets, each about as wide as the gap between two departures. An item that stays longer than a turn of
// the wheel is visited once a turn. By Little's law the wheel is then longer than the mean stay, so this costs less
// than one visit per request on average.
#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <vector>

namespace spillway::engine {

template <class What>
class Departures {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  // Adds an item. Precondition: at most 2^32 - 2 at a time; not before the time of the last end_until().
  [[gnu::always_inline]] void push(Nanoseconds at, const What& what) {
    if (--pushes_until_look_ == 0) [[unlikely]] {
      look_at_widths();
    }
    if (free_ == nothing) [[unlikely]] {
      add_node();
    }
    const std::uint32_t slot = free_;
    Node& node = nodes_[slot];
    free_ = node.next;
    ++size_;
    std::uint32_t& first = wheel_[bucket_of(at) & (wheel_.size() - 1)];
    node = {at, what, first};
    first = slot;
  }

  // Calls end(what) for all items whose time is not after `now`, and soon(what) for some that follow. Precondition:
  // times are not descending.
  template <class End, class Soon>
  [[gnu::always_inline]] void end_until(Nanoseconds now, End end, Soon soon) {
    const std::uint64_t last = bucket_of(now);
    now_ = now;
    if (size_ == 0) {
      present_ = last;
      return;
    }
    const std::uint64_t mask = wheel_.size() - 1;
    // One turn visits all items.
    present_ = last - present_ > mask ? last - mask : present_;
    while (true) {
      sweep(wheel_[present_ & mask], now, end);
      if (present_ == last) {
        return;
      }
      ++present_;
      __builtin_prefetch(&nodes_[wheel_[(present_ + far) & mask]]);
      for (std::uint32_t slot = wheel_[(present_ + near) & mask]; slot != nothing; slot = nodes_[slot].next) {
        soon(nodes_[slot].what);
      }
    }
  }

  // Removes the items for which which(what) is true, before their time, with take(at, what). O(items).
  template <class Which, class Take>
  void take_out(Which which, Take take);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  static constexpr std::uint32_t nothing = 0;  // the first node is unused
  static constexpr std::uint32_t pushes_between_looks = 4096;
  static constexpr std::size_t least_buckets = 64;
  static constexpr std::uint64_t far = 8;
  static constexpr std::uint64_t near = 4;

  struct Node {
    Nanoseconds at{0};
    What what = {};
    std::uint32_t next = nothing;
  };

  [[nodiscard]] std::uint64_t bucket_of(Nanoseconds at) const noexcept {
    return static_cast<std::uint64_t>(at.count()) >> width_bits_;
  }
  [[gnu::noinline]] void add_node() {
    free_ = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
  }
  void place(std::uint32_t slot) noexcept {
    std::uint32_t& first = wheel_[bucket_of(nodes_[slot].at) & (wheel_.size() - 1)];
    nodes_[slot].next = first;
    first = slot;
  }
  // Removes the items of one bucket whose time has come.
  template <class End>
  [[gnu::always_inline]] void sweep(std::uint32_t& first, Nanoseconds now, End& end) {
    Node* const nodes = nodes_.data();
    std::uint32_t* link = &first;
    for (std::uint32_t slot = first; slot != nothing;) {
      Node& node = nodes[slot];
      const std::uint32_t next = node.next;
      if (node.at > now) {
        link = &node.next;
      } else {
        *link = next;
        node.next = free_;
        free_ = slot;
        --size_;
        end(node.what);
      }
      slot = next;
    }
  }
  void look_at_widths();
  void lay_out(unsigned width_bits, std::size_t buckets);

  std::vector<Node> nodes_ = std::vector<Node>(1);
  std::vector<std::uint32_t> wheel_ = std::vector<std::uint32_t>(least_buckets, nothing);  // first of each bucket
  std::uint32_t free_ = nothing;
  std::uint32_t pushes_until_look_ = pushes_between_looks;
  unsigned width_bits_ = 20;
  std::uint64_t present_ = 0;  // the bucket of now_
  std::size_t size_ = 0;
  Nanoseconds now_{0};
  Nanoseconds last_look_{0};
};

// ---------------------------------------------------------------------------------------------------------------------

template <class What>
template <class Which, class Take>
void Departures<What>::take_out(Which which, Take take) {
  for (std::uint32_t& first : wheel_) {
    std::uint32_t* link = &first;
    while (*link != nothing) {
      const std::uint32_t slot = *link;
      Node& node = nodes_[slot];
      if (!which(node.what)) {
        link = &node.next;
        continue;
      }
      *link = node.next;
      node.next = free_;
      free_ = slot;
      --size_;
      take(node.at, node.what);
    }
  }
}

// Adapts the buckets: about as wide as the gaps, and enough of them for a long turn.
template <class What>
void Departures<What>::look_at_widths() {
  const auto passed = static_cast<std::uint64_t>((now_ - last_look_).count());
  last_look_ = now_;
  pushes_until_look_ = pushes_between_looks;
  const auto bits = static_cast<unsigned>(std::bit_width(passed / pushes_between_looks));
  constexpr std::size_t buckets_for_each = 4;
  constexpr std::size_t most_buckets = std::size_t{1} << 24;
  const std::size_t buckets = std::clamp(std::bit_ceil(buckets_for_each * size_), least_buckets, most_buckets);
  const bool other_width = bits > width_bits_ + 1 || bits + 1 < width_bits_;
  if (other_width || buckets > wheel_.size() || buckets * 8 < wheel_.size()) {
    lay_out(other_width ? bits : width_bits_, buckets);
  }
}

template <class What>
void Departures<What>::lay_out(unsigned width_bits, std::size_t buckets) {
  std::vector<std::uint32_t> slots;
  slots.reserve(size_);
  for (const std::uint32_t first : wheel_) {
    for (std::uint32_t slot = first; slot != nothing; slot = nodes_[slot].next) {
      slots.push_back(slot);
    }
  }
  width_bits_ = width_bits;
  wheel_.assign(buckets, nothing);
  present_ = bucket_of(now_);
  for (const std::uint32_t slot : slots) {
    place(slot);
  }
}

}  // namespace spillway::engine
