// A first-in-first-out station of c cores whose departures are known as soon as a request arrives: each request goes to
// the core that is free first (Kiefer and Wolfowitz's recursion; Lindley's for one core).
//
//   FifoStation station({.cores = 4, .queue = 100});
//   if (auto served = station.arrive(now, service_time)) { answer_at(served->end); } else { queue_full(); }
//
// Right as long as nothing disturbs what has been promised: a station that changes its speed or breaks down while
// requests wait is a DisturbedStation (disturbed_station.hpp), which departs at the same times otherwise. Arrivals come
// in the order of time. Constant time up to 8 cores, O(log cores) beyond; 8 bytes a core, and 8 bytes for each request
// that may wait where the queue has a limit.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/scenario/serving.hpp"

namespace spillway::engine {

// When a request gets a core, and when it leaves it.
struct Served {
  std::chrono::nanoseconds start{0};
  std::chrono::nanoseconds end{0};
};

class FifoStation {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  explicit FifoStation(const scenario::Servers& servers);

  // Nothing if the queue is full. A core that falls free at `now` is free.
  [[nodiscard]] std::optional<Served> arrive(Nanoseconds now, Nanoseconds service_time) {
    const std::size_t core = free_at_.size() <= scanned_cores ? first_free() : 0;
    const Nanoseconds start = free_at_[core] > now ? free_at_[core] : now;
    if (limit_ && start > now && !wait(now, start)) {
      return std::nullopt;
    }
    const Served served{start, start + service_time};
    if (free_at_.size() <= scanned_cores) {
      free_at_[core] = served.end;
    } else {
      replace_first(served.end);
    }
    return served;
  }

 private:
  static constexpr std::size_t scanned_cores = 8;

  [[nodiscard]] std::size_t first_free() const noexcept {
    std::size_t first = 0;
    for (std::size_t core = 1; core < free_at_.size(); ++core) {
      first = free_at_[core] < free_at_[first] ? core : first;
    }
    return first;
  }

  [[nodiscard]] bool wait(Nanoseconds now, Nanoseconds start);
  void replace_first(Nanoseconds end) noexcept;

  std::vector<Nanoseconds> free_at_;  // by core; a heap with the first on top beyond scanned_cores
  std::optional<std::uint32_t> limit_;
  // Where there is a limit: when those that wait will start, a ring in that order.
  std::vector<Nanoseconds> starts_;
  std::size_t oldest_ = 0;
  std::size_t waiting_ = 0;
};

}  // namespace spillway::engine
