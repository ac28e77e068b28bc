// The requests that are under way, by the time at which their answer reaches the client.
//
//   Calendar calendar;
//   calendar.push(answer);
//   while (calendar.next_time() < end) { finish(calendar.pop()); }
//
// Equal times leave in the order of insertion. push and pop are O(log n) of the requests under way.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/scenario/expectation.hpp"

namespace spillway::engine {

// An answer on its way back.
struct Answer {
  std::chrono::nanoseconds at{0};
  std::uint64_t sequence = 0;  // set by the calendar
  std::chrono::nanoseconds sent_at{0};
  std::uint32_t proxy = 0;                            // who asked
  std::uint32_t epoch = 0;                            // of the proxy's entry, in which the request was sent
  std::uint32_t target = 0;                           // which of the entry's targets answers
  std::uint32_t active_slot = 0;                      // in the proxy\'s active_requests, if it counts them
  std::uint32_t node_outages = 0;                     // of the endpoint's node when the request was sent
  scenario::Outcome outcome = scenario::Outcome::ok;  // unless the endpoint's node goes off meanwhile
};

class Calendar {
 public:
  static constexpr std::chrono::nanoseconds never = std::chrono::nanoseconds::max();

  void push(Answer answer) {
    answer.sequence = next_sequence_++;
    answers_.push_back(answer);
    std::push_heap(answers_.begin(), answers_.end(), later);
  }

  [[nodiscard]] std::chrono::nanoseconds next_time() const noexcept {
    return answers_.empty() ? never : answers_.front().at;
  }
  [[nodiscard]] std::size_t size() const noexcept { return answers_.size(); }

  // The first answer; there must be one.
  [[nodiscard]] Answer pop() {
    std::pop_heap(answers_.begin(), answers_.end(), later);
    const Answer first = answers_.back();
    answers_.pop_back();
    return first;
  }

 private:
  static bool later(const Answer& left, const Answer& right) noexcept {
    return left.at != right.at ? left.at > right.at : left.sequence > right.sequence;
  }

  std::vector<Answer> answers_;
  std::uint64_t next_sequence_ = 0;
};

}  // namespace spillway::engine
