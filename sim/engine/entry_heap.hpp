// A heap of (time, order) pairs, the first on top.
//
//   EntryHeap heap;
//   heap.push({10ms, 7});
//   EntryHeap::Entry first = heap.pop();
//
// push, pop and replace_top are O(log n). Heaps of four children touch fewer cache lines than binary ones.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

namespace spillway::engine {

class EntryHeap {
 public:
  struct Entry {
    std::chrono::nanoseconds at{0};
    std::uint64_t order = 0;  // among equal times

    [[nodiscard]] bool before(const Entry& other) const noexcept {
      return at != other.at ? at < other.at : order < other.order;
    }
  };

  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
  // Precondition: the heap is not empty.
  [[nodiscard]] const Entry& top() const noexcept { return entries_.front(); }

  void push(const Entry& entry) {
    std::size_t place = entries_.size();
    entries_.push_back(entry);
    while (place > 0 && entry.before(entries_[(place - 1) / arity])) {
      entries_[place] = entries_[(place - 1) / arity];
      place = (place - 1) / arity;
    }
    entries_[place] = entry;
  }

  // Precondition: the heap is not empty.
  Entry pop() {
    const Entry first = entries_.front();
    const Entry last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) {
      sink(last);
    }
    return first;
  }

  // Does pop() and push() in one step. Precondition: the heap is not empty.
  void replace_top(const Entry& entry) noexcept { sink(entry); }

  // Removes and returns all entries, in any order.
  [[nodiscard]] std::vector<Entry> take_all() { return std::exchange(entries_, {}); }

 private:
  static constexpr std::size_t arity = 4;

  // Moves an entry from the root down to its place.
  void sink(const Entry& entry) noexcept {
    std::size_t place = 0;
    for (std::size_t child = 1; child < entries_.size(); child = arity * place + 1) {
      const std::size_t end = std::min(child + arity, entries_.size());
      std::size_t first = child;
      for (std::size_t other = child + 1; other < end; ++other) {
        first = entries_[other].before(entries_[first]) ? other : first;
      }
      if (!entries_[first].before(entry)) {
        break;
      }
      entries_[place] = entries_[first];
      place = first;
    }
    entries_[place] = entry;
  }

  std::vector<Entry> entries_;
};

}  // namespace spillway::engine
