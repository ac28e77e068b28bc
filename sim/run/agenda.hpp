// Everything that is to change balancing inputs or a resource, in the order in which it happens.
//
//   Agenda<Event> agenda;
//   agenda.push(10s, EventClass::health, event);
//   while (agenda.next_time() <= now) { apply(agenda.pop().event); }
//
// Entries leave by (time, class, order of insertion): what is equal in time and class leaves first in, first out. push
// and pop are O(log n). Pushing an entry for the present while entries of the present are being applied is allowed; it
// takes its place by class and insertion order.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

namespace spillway::run {

// The written order of what happens at one and the same nanosecond; requests come after all of it.
enum class EventClass : std::uint8_t {
  resource,       // nodes and links go off and on, latencies change, endpoints begin or cease to fail
  health,         // the proxies are told who is well
  configuration,  // and who belongs to the endpoint set
  ejection,       // what requests caused
  merged_update,  // an update merge window ends
  sweep,          // outlier detection looks who may come back
  check,          // active checks are sent, and bring results
  weights,        // load reports become weights
  workload,       // clients send more, or less
};

template <class Event>
class Agenda {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  // Where the agenda is empty, its next time is this.
  static constexpr Nanoseconds never = Nanoseconds::max();

  struct Entry {
    Nanoseconds at{0};
    EventClass event_class = EventClass::resource;
    std::uint64_t sequence = 0;
    Event event;
  };

  void push(Nanoseconds at, EventClass event_class, Event event) {
    entries_.push_back(Entry{at, event_class, next_sequence_++, std::move(event)});
    std::push_heap(entries_.begin(), entries_.end(), later);
  }

  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
  [[nodiscard]] Nanoseconds next_time() const noexcept { return entries_.empty() ? never : entries_.front().at; }

  // The first entry; the agenda must not be empty.
  [[nodiscard]] Entry pop() {
    std::pop_heap(entries_.begin(), entries_.end(), later);
    Entry first = std::move(entries_.back());
    entries_.pop_back();
    return first;
  }

 private:
  static bool later(const Entry& left, const Entry& right) noexcept {
    if (left.at != right.at) {
      return left.at > right.at;
    }
    if (left.event_class != right.event_class) {
      return left.event_class > right.event_class;
    }
    return left.sequence > right.sequence;
  }

  std::vector<Entry> entries_;
  std::uint64_t next_sequence_ = 0;
};

}  // namespace spillway::run
