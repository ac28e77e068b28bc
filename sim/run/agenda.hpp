// A queue of everything that will change balancing inputs or a resource, in the order in which it happens.
//
//   Agenda<Event> agenda;
//   agenda.push(10s, EventClass::health, event);
//   while (agenda.next_time() <= now) { apply(agenda.pop().event); }
//
// Entries leave by (time, class, order of insertion): first in, first out at equal time and class. push and pop are
// O(log n). They are O(1) for entries pushed in the order in which they leave, such as periodic ones. Entries for the
// present may be pushed while entries of the present are being applied; they are sorted by class and insertion order.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "sim/engine/entry_heap.hpp"

namespace spillway::run {

// The order of events at the same nanosecond; requests come after all of them.
enum class EventClass : std::uint8_t {
  resource,       // nodes and links fail or recover, latencies change, endpoints begin or stop failing
  health,         // EDS health updates
  configuration,  // EDS membership updates
  ejection,       // triggered by requests
  merged_update,  // an update merge window ends
  sweep,          // outlier detection checks which hosts may return
  check,          // active checks are sent, and their results arrive
  weights,        // load reports become weights
  workload,       // rates of clients change
  settled,        // no more changes at this time: requests see this state
};

// An agenda numbers its entries up to `most_numbers`, then renumbers the remaining ones. Precondition: there are never
// that many at a time.
template <class Event, std::uint64_t most_numbers = std::uint64_t{1} << 32U>
class Agenda {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  // The next time of an empty agenda.
  static constexpr Nanoseconds never = Nanoseconds::max();

  struct Entry {
    Nanoseconds at{0};
    EventClass event_class = EventClass::resource;
    Event event;
  };

  // Adds an entry. Precondition: at most 2^28 entries at a time.
  void push(Nanoseconds at, EventClass event_class, Event event) {
    if (next_sequence_ == most_numbers) {
      number_anew();
    }
    std::uint64_t slot = events_.size();
    if (free_.empty()) {
      events_.push_back(std::move(event));
    } else {
      slot = free_.back();
      free_.pop_back();
      events_[slot] = std::move(event);
    }
    place({at, static_cast<std::uint64_t>(event_class) << class_shift | next_sequence_++ << slot_bits | slot});
  }

  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  [[nodiscard]] std::size_t size() const noexcept { return events_.size() - free_.size(); }
  [[nodiscard]] Nanoseconds next_time() const noexcept { return first_.at; }

  // Removes and returns the first entry. Precondition: the agenda is not empty.
  [[nodiscard]] Entry pop() {
    const engine::EntryHeap::Entry first = take_first();
    const auto slot = static_cast<std::uint32_t>(first.order & slot_mask);
    free_.push_back(slot);
    return {first.at, static_cast<EventClass>(first.order >> class_shift), std::move(events_[slot])};
  }

 private:
  // The order among equal times: class, order of insertion, and the event's slot.
  static constexpr unsigned slot_bits = 28;
  static constexpr unsigned class_shift = 60;
  static constexpr std::uint64_t slot_mask = (std::uint64_t{1} << slot_bits) - 1;
  static constexpr std::uint64_t of_sequence = (std::uint64_t{1} << class_shift) - 1 - slot_mask;

  using Place = engine::EntryHeap::Entry;

  // Appends the entry to the first line whose last entry precedes it; else to the heap.
  void place(const Place& entry) {
    if (entry.before(first_)) {
      first_ = entry;
    }
    for (std::deque<Place>& line : lines_) {
      if (line.empty() || line.back().before(entry)) {
        line.push_back(entry);
        return;
      }
    }
    heap_.push(entry);
  }
  Place take_first() {
    const Place first = first_;
    if (!heap_.empty() && heap_.top().order == first.order) {
      (void)heap_.pop();
    }
    first_ = nobody;
    for (std::deque<Place>& line : lines_) {
      if (!line.empty() && line.front().order == first.order) {
        line.pop_front();
      }
      if (!line.empty() && line.front().before(first_)) {
        first_ = line.front();
      }
    }
    if (!heap_.empty() && heap_.top().before(first_)) {
      first_ = heap_.top();
    }
    return first;
  }

  // Renumbers the remaining entries from 0, in their order.
  void number_anew() {
    std::vector<Place> entries = heap_.take_all();
    for (std::deque<Place>& line : lines_) {
      entries.insert(entries.end(), line.begin(), line.end());
      line.clear();
    }
    std::sort(entries.begin(), entries.end(), [](const auto& left, const auto& right) {
      return (left.order & of_sequence) < (right.order & of_sequence);
    });
    next_sequence_ = 0;
    first_ = nobody;
    for (Place& entry : entries) {
      entry.order = (entry.order & ~of_sequence) | next_sequence_++ << slot_bits;
      place(entry);
    }
  }

  static constexpr Place nobody{never, UINT64_MAX};

  std::array<std::deque<Place>, 4> lines_;  // each in order
  engine::EntryHeap heap_;
  Place first_ = nobody;
  std::vector<Event> events_;  // by slot
  std::vector<std::uint32_t> free_;
  std::uint64_t next_sequence_ = 0;
};

}  // namespace spillway::run
