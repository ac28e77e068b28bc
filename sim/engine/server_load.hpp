// The load of a server's cores and the length of its queue, period by period.
//
//   ServerLoad load(ends);                                        // when each period ends, ascending
//   if (load.is_over(now)) { load.close(busy_left, waited_left, waiting); }
//   load.serve(service_time);                                      // a request, at its arrival
//   load.wait(start - now, in_line);
//
// A server that knows departures in advance adds whole service and waiting times when a request arrives. At the end of
// a period it reports how much of them belongs to later ones. Other servers report how many requests were there since
// the last report (hold). Events after the last period are not counted.
//
// Times are nanoseconds, summed over requests. O(1) per call. Memory: 32 bytes per period with events.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

namespace spillway::engine {

class ServerLoad {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  struct Period {
    std::uint32_t period = 0;
    std::uint32_t queue_max = 0;  // the longest queue
    double busy = 0.0;            // of all cores together
    double waited = 0.0;          // of all requests together
  };

  // Lifetime: `ends` must outlive this object.
  explicit ServerLoad(std::span<const Nanoseconds> ends) : ends_(ends) {}

  // is_over(): true if the period has ended by `now`. end() returns when it ends.
  [[nodiscard]] bool is_over(Nanoseconds now) const noexcept { return now >= end(); }
  [[nodiscard]] Nanoseconds end() const noexcept {
    return period_ < ends_.size() ? ends_[period_] : Nanoseconds::max();
  }

  void serve(Nanoseconds time) noexcept { busy_ += static_cast<double>(time.count()); }
  void wait(Nanoseconds time, std::size_t in_line) noexcept {
    waited_ += static_cast<double>(time.count());
    see_line(in_line);
  }
  void see_line(std::size_t in_line) noexcept {
    queue_max_ = std::max(queue_max_, static_cast<std::uint32_t>(in_line));
  }

  // Ends the period. `busy_left` and `waited_left` are the added times that belong to later ones; `in_line` requests
  // still wait.
  void close(double busy_left, double waited_left, std::size_t in_line);

  // Counts `busy` cores and `in_line` waiting requests since the last call.
  void hold(Nanoseconds now, std::size_t busy, std::size_t in_line);

  // Returns the ended periods with events, ascending.
  [[nodiscard]] const std::vector<Period>& periods() const noexcept { return periods_; }

 private:
  std::span<const Nanoseconds> ends_;
  std::uint32_t period_ = 0;
  std::uint32_t queue_max_ = 0;
  double busy_ = 0.0;
  double waited_ = 0.0;
  Nanoseconds held_until_{0};
  std::vector<Period> periods_ = {};
};

}  // namespace spillway::engine
