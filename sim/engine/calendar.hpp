// The event calendar of requests under way.
//
//   Calendar calendar;
//   calendar.push(moment);
//   while (calendar.next_time() < end) { simulate(calendar.pop()); }
//   calendar.pop([](const CalendarEvent& soon, unsigned step) { ... });   // and hints about some of those that follow
//
// Equal times leave in the order of their sequence numbers. These count insertions, unless push() gets a number drawn
// before. Entries from push_first() come before others with the same time. push and pop are O(1) as long as gaps
// between events change slowly, at worst O(log n) of the requests under way. Memory is allocated only while more
// requests are under way than ever before.
//
// A calendar queue (Brown 1988): a wheel of buckets, each about as wide as the gap between two events. The present
// bucket and events beyond the wheel are heaps. Width and number of the buckets adapt to the events.
#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <vector>

#include "sim/engine/entry_heap.hpp"

namespace spillway::engine {

// The kind of an event of a request.
enum class CalendarEventKind : std::uint8_t {
  answer,           // a response arrives, with a status
  reset,            // the connection breaks off
  connect_failure,  // no connection is possible
  per_try_timeout,  // this try has taken too long
  timeout,          // the request has taken too long
  stream_timeout,   // the request has exceeded the stream's own timeouts
  try_timeout,      // this try has exceeded the cluster's max_stream_duration
  try_again,        // the back-off before a retry is over
  end_of_wait,      // the request has taken too long while no host had it, or, without an open_request, was delayed
  queue_full,       // the endpoint has no room for it
  written_answer,   // a response 200 arrives that is already recorded
  // Events of servers, not of requests; `target` is the server.
  reaches_server,
  leaves_server,
  server_deadline,
};

struct CalendarEvent {
  std::chrono::nanoseconds at{0};
  std::chrono::nanoseconds sent_at{0};
  std::uint32_t proxy = 0;         // the client's proxy
  std::uint32_t epoch = 0;         // of the proxy's flow, when the request was sent
  std::uint32_t target = 0;        // the target of the flow that answers
  std::uint32_t active_slot = 0;   // in the proxy's active_requests, if it counts them
  std::uint32_t node_outages = 0;  // of the endpoint's node when the request was sent
  std::uint32_t open_request = 0;  // the slot of its state between tries, if any
  std::uint32_t demand = 0;        // its demand, by a number of the caller's
  std::uint16_t status = 200;
  CalendarEventKind kind = CalendarEventKind::answer;
  std::uint8_t routing_priority : 1 = 0;
  std::uint8_t worker : 7 = 0;  // of the proxy; unused if the request has an open_request

  [[nodiscard]] bool is_success() const noexcept {
    constexpr std::uint16_t ok = 200;
    return kind == CalendarEventKind::written_answer || (kind == CalendarEventKind::answer && status == ok);
  }
};

// A calendar queue. `What` has a member `at`: the time of the event.
template <class What>
class BasicCalendar {
 public:
  using Nanoseconds = std::chrono::nanoseconds;
  static constexpr Nanoseconds never = Nanoseconds::max();

  // Draws a place in the order of equal times, for an event that is pushed later.
  [[nodiscard]] std::uint64_t draw_sequence() noexcept { return next_sequence_++; }

  // Pushes an event. Precondition: at most 2^28 events at a time, and 2^35 sequence numbers in all; times are not
  // negative.
  void push(const What& moment) { push(moment, next_sequence_++); }
  void push(const What& moment, std::uint64_t sequence) { add(moment, last_class | sequence); }
  // Pushes an event before all others of its time, except those from earlier push_first() calls with lower numbers.
  void push_first(const What& moment, std::uint64_t sequence) { add(moment, sequence); }

  [[nodiscard]] Nanoseconds next_time() const noexcept { return present_.empty() ? never : present_.top().at; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  // Returns the first event. Precondition: not empty.
  [[nodiscard]] const What& next() const noexcept { return slots_[present_.top().order & slot_mask].what; }

  // Removes and returns the first event. Precondition: not empty.
  [[nodiscard]] What pop() {
    return pop([](const What&, unsigned) {});
  }
  // Removes and returns the first event, and calls `soon` with most of the following events, once at each step from 0
  // on as they come nearer. `soon` may only prefetch memory: results must not depend on it.
  static constexpr unsigned steps = 3;
  template <class Soon>
  [[nodiscard]] What pop(Soon soon);

 private:
  static constexpr unsigned slot_bits = 28;
  static constexpr std::uint64_t last_class = std::uint64_t{1} << (63 - slot_bits);
  static constexpr std::uint64_t slot_mask = (std::uint64_t{1} << slot_bits) - 1;
  static constexpr std::uint32_t nothing = UINT32_MAX;
  static constexpr std::uint32_t pops_between_looks = 4096;
  static constexpr std::size_t least_buckets = 64;
  // The number of buckets ahead at which events are prefetched (first entry), and then what they need.
  static constexpr std::uint64_t ahead[steps + 1] = {16, 10, 6, 3};

  // An event and its links, in one cache line if they fit.
  static constexpr std::size_t line = 64;
  static constexpr std::size_t beside_it = 12;  // bytes
  struct alignas(std::min(line, std::bit_ceil(sizeof(What) + beside_it))) Slot {
    What what = {};
    std::uint64_t order = 0;       // of events in the wheel
    std::uint32_t next = nothing;  // of events in the wheel: slot of another one in the same bucket
  };

  void add(const What& moment, std::uint64_t order);
  [[nodiscard]] std::uint64_t bucket_of(Nanoseconds at) const noexcept {
    return static_cast<std::uint64_t>(at.count()) >> width_bits_;
  }
  void place(const EntryHeap::Entry& entry);
  void advance();
  template <class Soon>
  void look_ahead(Soon& soon);
  [[nodiscard]] std::uint64_t next_bucket() const noexcept;
  void look_at_widths(Nanoseconds now);
  void lay_out(unsigned width_bits, std::size_t buckets);

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> wheel_ = std::vector<std::uint32_t>(least_buckets, nothing);  // first slot of each bucket
  std::vector<std::uint64_t> filled_ = std::vector<std::uint64_t>(least_buckets / 64, 0);  // one bit per bucket
  EntryHeap present_;  // up to the end of present_bucket_; empty only if the calendar is
  EntryHeap beyond_;
  unsigned width_bits_ = 20;
  std::uint64_t present_bucket_ = 0;
  std::uint64_t looked_at_[steps + 1] = {};  // the last bucket that each step has reached
  std::size_t size_ = 0;
  std::size_t in_wheel_ = 0;
  std::uint64_t next_sequence_ = 0;
  std::uint32_t pops_until_look_ = pops_between_looks;
  Nanoseconds last_look_{0};
};

using Calendar = BasicCalendar<CalendarEvent>;

// Pushes a response. Successes leave before other events of their time, so that it makes no difference if they are
// processed one by one or together (departures.hpp).
inline void push_answer(Calendar& calendar, const CalendarEvent& moment, std::uint64_t sequence) {
  if (moment.is_success()) {
    calendar.push_first(moment, sequence);
  } else {
    calendar.push(moment, sequence);
  }
}

// ---------------------------------------------------------------------------------------------------------------------

template <class What>
void BasicCalendar<What>::add(const What& moment, std::uint64_t order) {
  std::uint32_t slot = static_cast<std::uint32_t>(slots_.size());
  if (free_.empty()) {
    slots_.push_back({.what = moment});
  } else {
    slot = free_.back();
    free_.pop_back();
    slots_[slot].what = moment;
  }
  if (++size_ == 1) {
    present_bucket_ = bucket_of(moment.at);
  }
  place({moment.at, order << slot_bits | slot});
}

template <class What>
void BasicCalendar<What>::place(const EntryHeap::Entry& entry) {
  const std::uint64_t bucket = bucket_of(entry.at);
  if (bucket <= present_bucket_) {
    present_.push(entry);
  } else if (bucket - present_bucket_ < wheel_.size()) {
    const std::size_t cell = bucket & (wheel_.size() - 1);
    const auto slot = static_cast<std::uint32_t>(entry.order & slot_mask);
    slots_[slot].order = entry.order;
    slots_[slot].next = wheel_[cell];
    wheel_[cell] = slot;
    filled_[cell / 64] |= std::uint64_t{1} << (cell % 64);
    ++in_wheel_;
  } else {
    beyond_.push(entry);
  }
}

template <class What>
template <class Soon>
What BasicCalendar<What>::pop(Soon soon) {
  const EntryHeap::Entry first = present_.pop();
  const auto slot = static_cast<std::uint32_t>(first.order & slot_mask);
  free_.push_back(slot);
  --size_;
  if (--pops_until_look_ == 0) {
    look_at_widths(first.at);
  }
  if (present_.empty() && size_ > 0) {
    advance();
    look_ahead(soon);
  }
  return slots_[slot].what;
}

// Looks ahead. Events added to a bucket that a step has passed are not looked at by that step.
template <class What>
template <class Soon>
void BasicCalendar<What>::look_ahead(Soon& soon) {
  const std::size_t mask = wheel_.size() - 1;
  for (unsigned step = 0; step <= steps; ++step) {
    std::uint64_t bucket = std::max(looked_at_[step], present_bucket_);
    const std::uint64_t last = present_bucket_ + ahead[step];
    while (bucket < last) {
      ++bucket;
      std::uint32_t slot = wheel_[bucket & mask];
      if (step == 0 && slot != nothing) {
        __builtin_prefetch(&slots_[slot]);
        continue;
      }
      for (; slot != nothing; slot = slots_[slot].next) {
        soon(slots_[slot].what, step - 1);
      }
    }
    looked_at_[step] = last;
  }
}

// Returns the next bucket of the wheel that is not empty. Precondition: the wheel has an event.
template <class What>
std::uint64_t BasicCalendar<What>::next_bucket() const noexcept {
  const std::size_t mask = wheel_.size() - 1;
  const std::size_t start = (present_bucket_ + 1) & mask;
  std::size_t word = start / 64;
  std::uint64_t bits = filled_[word] & (~std::uint64_t{0} << (start % 64));
  while (bits == 0) {
    word = word + 1 == filled_.size() ? 0 : word + 1;
    bits = filled_[word];
  }
  const std::size_t cell = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
  return present_bucket_ + 1 + ((cell - start) & mask);
}

// Makes the next bucket that is not empty the present one.
template <class What>
void BasicCalendar<What>::advance() {
  const std::uint64_t of_wheel = in_wheel_ > 0 ? next_bucket() : UINT64_MAX;
  const std::uint64_t of_beyond = beyond_.empty() ? UINT64_MAX : bucket_of(beyond_.top().at);
  present_bucket_ = std::min(of_wheel, of_beyond);
  while (!beyond_.empty() && bucket_of(beyond_.top().at) == present_bucket_) {
    present_.push(beyond_.pop());
  }
  if (of_wheel != present_bucket_) {
    return;
  }
  const std::size_t cell = present_bucket_ & (wheel_.size() - 1);
  for (std::uint32_t slot = wheel_[cell]; slot != nothing; slot = slots_[slot].next) {
    present_.push({slots_[slot].what.at, slots_[slot].order});
    --in_wheel_;
  }
  wheel_[cell] = nothing;
  filled_[cell / 64] &= ~(std::uint64_t{1} << (cell % 64));
}

// Adapts the buckets: about as wide as the gaps, and enough of them to hold most events on the wheel.
template <class What>
void BasicCalendar<What>::look_at_widths(Nanoseconds now) {
  const auto passed = static_cast<std::uint64_t>(std::max(now - last_look_, Nanoseconds{0}).count());
  last_look_ = now;
  pops_until_look_ = pops_between_looks;
  const auto bits = static_cast<unsigned>(std::bit_width(passed / pops_between_looks));
  constexpr std::size_t buckets_per_moment = 4;
  constexpr std::size_t most_buckets = std::size_t{1} << 24;
  const std::size_t buckets = std::clamp(std::bit_ceil(buckets_per_moment * size_), least_buckets, most_buckets);
  const bool other_width = bits > width_bits_ + 1 || bits + 1 < width_bits_;
  if (other_width || buckets > wheel_.size() || buckets * 8 < wheel_.size()) {
    lay_out(other_width ? bits : width_bits_, std::max(buckets, other_width ? buckets : wheel_.size() / 8));
  }
}

template <class What>
void BasicCalendar<What>::lay_out(unsigned width_bits, std::size_t buckets) {
  std::vector<EntryHeap::Entry> all = present_.take_all();
  const std::vector<EntryHeap::Entry> far = beyond_.take_all();
  all.insert(all.end(), far.begin(), far.end());
  for (const std::uint32_t first : wheel_) {
    for (std::uint32_t slot = first; slot != nothing; slot = slots_[slot].next) {
      all.push_back({slots_[slot].what.at, slots_[slot].order});
    }
  }
  width_bits_ = width_bits;
  wheel_.assign(buckets, nothing);
  filled_.assign(buckets / 64, 0);
  in_wheel_ = 0;
  if (all.empty()) {
    return;
  }
  const auto sooner = [](const EntryHeap::Entry& left, const EntryHeap::Entry& right) { return left.before(right); };
  present_bucket_ = bucket_of(std::min_element(all.begin(), all.end(), sooner)->at);
  std::fill(std::begin(looked_at_), std::end(looked_at_), present_bucket_);
  for (const EntryHeap::Entry& entry : all) {
    place(entry);
  }
}

}  // namespace spillway::engine
