// The requests that are under way, by the time at which something happens to them.
//
//   Calendar calendar;
//   calendar.push(moment);
//   while (calendar.next_time() < end) { play(calendar.pop()); }
//
// Equal times leave in the order of insertion. push and pop are O(log n) of the requests under way; memory is asked for
// only while more are under way than ever before.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

namespace spillway::engine {

// What happens to a request.
enum class Happening : std::uint8_t {
  answer,           // an answer arrives, with a status
  reset,            // the connection breaks off
  connect_failure,  // there is no connection to be had
  per_try_timeout,  // this try has taken too long
  timeout,          // the request has
  try_again,        // the back-off before a retry is over
  end_of_wait,      // the request has taken too long while no host had it
};

struct Moment {
  std::chrono::nanoseconds at{0};
  std::chrono::nanoseconds sent_at{0};
  std::uint32_t proxy = 0;         // who asked
  std::uint32_t epoch = 0;         // of the proxy's flow, in which the request was sent
  std::uint32_t target = 0;        // which of the flow's targets answers
  std::uint32_t active_slot = 0;   // in the proxy's active_requests, if it counts them
  std::uint32_t node_outages = 0;  // of the endpoint's node when the request was sent
  std::uint32_t open_request = 0;  // what is kept of it between tries, if anything
  std::uint32_t session = 0;       // that it belongs to, if any
  std::uint16_t status = 200;
  Happening happening = Happening::answer;
  std::uint8_t routing_priority = 0;
};

class Calendar {
 public:
  static constexpr std::chrono::nanoseconds never = std::chrono::nanoseconds::max();

  // At most 2^28 moments at a time, and 2^36 in all.
  void push(const Moment& moment) {
    std::uint32_t slot = static_cast<std::uint32_t>(moments_.size());
    if (free_.empty()) {
      moments_.push_back(moment);
    } else {
      slot = free_.back();
      free_.pop_back();
      moments_[slot] = moment;
    }
    const Entry entry{moment.at, next_sequence_++ << slot_bits | slot};
    std::size_t place = heap_.size();
    heap_.push_back(entry);
    while (place > 0 && entry.before(heap_[(place - 1) / arity])) {
      heap_[place] = heap_[(place - 1) / arity];
      place = (place - 1) / arity;
    }
    heap_[place] = entry;
  }

  [[nodiscard]] std::chrono::nanoseconds next_time() const noexcept { return heap_.empty() ? never : heap_.front().at; }
  [[nodiscard]] std::size_t size() const noexcept { return heap_.size(); }

  // The first moment; there must be one.
  [[nodiscard]] Moment pop() {
    const auto slot = static_cast<std::uint32_t>(heap_.front().order & ((std::uint64_t{1} << slot_bits) - 1));
    free_.push_back(slot);
    const Entry last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) {
      sink(last);
    }
    return moments_[slot];
  }

 private:
  // Heaps of four children touch fewer cache lines than binary ones, and small entries more still.
  static constexpr std::size_t arity = 4;
  static constexpr unsigned slot_bits = 28;

  struct Entry {
    std::chrono::nanoseconds at{0};
    std::uint64_t order = 0;  // of insertion, and the slot below

    [[nodiscard]] bool before(const Entry& other) const noexcept {
      return at != other.at ? at < other.at : order < other.order;
    }
  };

  // From the root down to its place.
  void sink(const Entry& entry) noexcept {
    std::size_t place = 0;
    for (std::size_t child = 1; child < heap_.size(); child = arity * place + 1) {
      const std::size_t end = std::min(child + arity, heap_.size());
      std::size_t first = child;
      for (std::size_t other = child + 1; other < end; ++other) {
        first = heap_[other].before(heap_[first]) ? other : first;
      }
      if (!heap_[first].before(entry)) {
        break;
      }
      heap_[place] = heap_[first];
      place = first;
    }
    heap_[place] = entry;
  }

  std::vector<Entry> heap_;
  std::vector<Moment> moments_;  // by slot
  std::vector<std::uint32_t> free_;
  std::uint64_t next_sequence_ = 0;
};

}  // namespace spillway::engine
