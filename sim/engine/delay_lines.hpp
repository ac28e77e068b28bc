// Items with one of a few constant delays, in the order in which they arrive.
//
//   DelayLines<Pair> lines;
//   const std::uint32_t line = lines.line_of(3ms);
//   lines.push(line, now, {client, host});                    // arrives at now + 3ms
//   while (lines.next_time() <= now) { auto [at, pair] = lines.pop(); }
//
// Items of one delay arrive in the order in which they were sent. So each delay is a queue, and only the fronts of the
// queues are compared. Equal times leave in the order of push. push is O(1), pop O(log delays). Memory is allocated
// only while there are more items than ever before.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/engine/entry_heap.hpp"

namespace spillway::engine {

template <class What>
class DelayLines {
 public:
  using Nanoseconds = std::chrono::nanoseconds;
  static constexpr Nanoseconds never = Nanoseconds::max();

  struct Arriving {
    Nanoseconds at{0};
    What what = {};
  };

  // Returns the line of a delay, always the same for equal delays. O(delays); at most 2^16 delays.
  [[nodiscard]] std::uint32_t line_of(Nanoseconds delay) {
    for (std::uint32_t line = 0; line < lines_.size(); ++line) {
      if (lines_[line].delay == delay) {
        return line;
      }
    }
    lines_.push_back({.delay = delay, .waiting = std::vector<Waiting>(least_room)});
    return static_cast<std::uint32_t>(lines_.size()) - 1;
  }

  // Precondition: times are not descending.
  void push(std::uint32_t index, Nanoseconds now, const What& what) {
    Line& line = lines_[index];
    const std::uint64_t sequence = next_sequence_++;
    if (line.size == line.waiting.size()) {
      grow(line);
    }
    line.waiting[(line.first + line.size) & (line.waiting.size() - 1)] = {now + line.delay, sequence, what};
    if (line.size++ == 0) {
      first_.push({now + line.delay, order_of(sequence, index)});
    }
  }

  [[nodiscard]] Nanoseconds next_time() const noexcept { return first_.empty() ? never : first_.top().at; }

  // Precondition: not empty.
  [[nodiscard]] Arriving pop() {
    const auto index = static_cast<std::uint32_t>(first_.top().order & line_mask);
    Line& line = lines_[index];
    const Waiting& first = line.waiting[line.first];
    const Arriving arriving{first.at, first.what};
    line.first = (line.first + 1) & (line.waiting.size() - 1);
    if (--line.size == 0) {
      first_.pop();
    } else {
      const Waiting& next = line.waiting[line.first];
      first_.replace_top({next.at, order_of(next.sequence, index)});
    }
    return arriving;
  }

  // Visits some of the items that follow the last popped one, so that the memory they need can be prefetched.
  template <class Soon>
  void look_ahead(Soon soon) const {
    for (const Line& line : lines_) {
      if (line.size > far) {
        soon(line.waiting[(line.first + far) & (line.waiting.size() - 1)].what);
      }
    }
  }

 private:
  static constexpr std::size_t least_room = 64;
  static constexpr std::size_t far = 6;
  static constexpr unsigned line_bits = 16;
  static constexpr std::uint64_t line_mask = (std::uint64_t{1} << line_bits) - 1;

  struct Waiting {
    Nanoseconds at{0};
    std::uint64_t sequence = 0;
    What what = {};
  };
  // A ring with a power of two of places.
  struct Line {
    Nanoseconds delay{0};
    std::vector<Waiting> waiting;
    std::size_t first = 0;
    std::size_t size = 0;
  };

  [[nodiscard]] static std::uint64_t order_of(std::uint64_t sequence, std::uint32_t line) noexcept {
    return sequence << line_bits | line;
  }

  static void grow(Line& line) {
    std::vector<Waiting> larger(2 * line.waiting.size());
    for (std::size_t number = 0; number < line.size; ++number) {
      larger[number] = line.waiting[(line.first + number) & (line.waiting.size() - 1)];
    }
    line.waiting = std::move(larger);
    line.first = 0;
  }

  std::vector<Line> lines_;
  EntryHeap first_;  // of each line that is not empty
  std::uint64_t next_sequence_ = 0;
};

}  // namespace spillway::engine
