// The requests that are under way, by the time at which something happens to them.
//
//   Calendar calendar;
//   calendar.push(moment);
//   while (calendar.next_time() < end) { play(calendar.pop()); }
//
// Equal times leave in the order of insertion. push and pop are O(log n) of the requests under way.
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
  std::uint64_t sequence = 0;  // set by the calendar
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

  void push(Moment moment) {
    moment.sequence = next_sequence_++;
    moments_.push_back(moment);
    std::push_heap(moments_.begin(), moments_.end(), later);
  }

  [[nodiscard]] std::chrono::nanoseconds next_time() const noexcept {
    return moments_.empty() ? never : moments_.front().at;
  }
  [[nodiscard]] std::size_t size() const noexcept { return moments_.size(); }

  // The first moment; there must be one.
  [[nodiscard]] Moment pop() {
    std::pop_heap(moments_.begin(), moments_.end(), later);
    const Moment first = moments_.back();
    moments_.pop_back();
    return first;
  }

 private:
  static bool later(const Moment& left, const Moment& right) noexcept {
    return left.at != right.at ? left.at > right.at : left.sequence > right.sequence;
  }

  std::vector<Moment> moments_;
  std::uint64_t next_sequence_ = 0;
};

}  // namespace spillway::engine
