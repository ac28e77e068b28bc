// How busy the cores of a station are and how long its line is, period by period.
//
//   ServerLoad load(ends);                                        // when each period ends, ascending
//   if (load.is_over(now)) { load.close(busy_left, waited_left, waiting); }
//   load.serve(service_time);                                      // a request, at its arrival
//   load.wait(start - now, in_line);
//
// A station that knows departures beforehand adds whole service and waiting times when a request arrives, and says at
// the end of a period how much of them is left for later ones; one that does not says how many were there since it
// said so last (hold). What happens after the last period counts nowhere.
//
// Times are nanoseconds, summed over requests. Adding is an addition; memory is 32 bytes for each period in which
// something happened.
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
    std::uint32_t queue_max = 0;  // the longest line
    double busy = 0.0;            // of all cores together
    double waited = 0.0;          // of all requests together
  };

  // `ends` must outlive this.
  explicit ServerLoad(std::span<const Nanoseconds> ends) : ends_(ends) {}

  // Whether the period has ended by `now`, and when it does.
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

  // The period ends. Of the times that were added so much belongs to later ones; so many are still in the line.
  void close(double busy_left, double waited_left, std::size_t in_line);

  // Since the last call, so many cores were busy and so many requests in the line.
  void hold(Nanoseconds now, std::size_t busy, std::size_t in_line);

  // Those that have ended and in which something happened, ascending.
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
