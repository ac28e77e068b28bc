// A first-in-first-out server with c cores whose departures are known as soon as a request arrives: each request gets
// the first free core (Kiefer and Wolfowitz's recursion; Lindley's for one core).
//
//   FifoServer station({.cores = 4, .queue = 100});
//   if (auto served = station.arrive(now, service_time)) { answer(served->end); } else { queue_full(); }
//
// Correct as long as nothing disturbs assigned departures. A server that changes its speed or breaks down while
// requests wait is a DisturbedServer (disturbed_server.hpp), whose departures are otherwise the same. Precondition:
// arrivals come in the order of time. O(1) up to 4 cores, O(log cores) beyond. Memory: one cache line, 8 bytes per core
// beyond 4, and 8 bytes per waiting request if the queue has a limit or the load is measured.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/engine/server_load.hpp"
#include "sim/scenario/serving.hpp"

namespace spillway::engine {

// The times at which a request gets a core and leaves it.
struct Served {
  std::chrono::nanoseconds start{0};
  std::chrono::nanoseconds end{0};
};

class alignas(64) FifoServer {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  explicit FifoServer(const scenario::Servers& servers);

  // Adds a request; returns nullopt if the queue is full. A core that becomes free at `now` is free.
  [[nodiscard, gnu::always_inline]] std::optional<Served> arrive(Nanoseconds now, Nanoseconds service_time) {
    const Nanoseconds end = serve(now, service_time);
    return end == full ? std::nullopt : std::optional(Served{end - service_time, end});
  }
  // Adds a request and returns when it leaves; `full` if the queue is full.
  static constexpr Nanoseconds full = Nanoseconds::max();
  [[nodiscard, gnu::always_inline]] Nanoseconds serve(Nanoseconds now, Nanoseconds service_time) {
    Nanoseconds& core = cores_ <= few ? first_free() : rest_->free_at.front();
    const Nanoseconds start = core > now ? core : now;
    if (keeps_line_ && !enter(now, start, service_time)) {
      return full;
    }
    const Nanoseconds end = start + service_time;
    if (cores_ <= few) {
      core = end;
    } else {
      replace_first(end);
    }
    return end;
  }

  // Measures the load in periods that end at `ends`, which must outlive this. Precondition: nothing has arrived yet.
  void measure(std::span<const Nanoseconds> ends);
  // Ends the periods that are over by `now`.
  void end_periods(Nanoseconds now);
  // Returns the load; null if it is not measured.
  [[nodiscard]] const ServerLoad* load() const noexcept { return load_.get(); }

 private:
  static constexpr std::uint32_t few = 4;

  // State that few servers need.
  struct Rest {
    std::vector<Nanoseconds> free_at = {};  // if there are more than a few cores: a heap with the first on top
    // If waiting requests are counted: their start times, a ring in that order.
    std::vector<Nanoseconds> starts = {};
    std::size_t oldest = 0;
    std::size_t waiting = 0;
  };

  [[nodiscard, gnu::always_inline]] Nanoseconds& first_free() noexcept {
    // The first one is unpredictable, so no branches.
    if (cores_ == few) {
      Nanoseconds* const cores = few_free_at_.data();
      const std::size_t one = cores[1] < cores[0] ? 1 : 0;
      const std::size_t other = 2 + (cores[3] < cores[2] ? 1U : 0U);
      return cores[one ^ ((one ^ other) & (std::size_t{0} - static_cast<std::size_t>(cores[other] < cores[one])))];
    }
    std::size_t first = 0;
    for (std::size_t core = 1; core < cores_; ++core) {
      first = few_free_at_[core] < few_free_at_[first] ? core : first;
    }
    return few_free_at_[first];
  }

  void leave_line(Nanoseconds now) noexcept;
  // Returns false if the queue is full.
  [[nodiscard]] bool enter(Nanoseconds now, Nanoseconds start, Nanoseconds service_time);
  [[nodiscard]] bool wait(Nanoseconds now, Nanoseconds start);
  void replace_first(Nanoseconds end) noexcept;

  std::array<Nanoseconds, few> few_free_at_{};  // by core, if there are few
  std::uint32_t cores_;
  std::uint32_t limit_;
  bool keeps_line_;  // there is a limit, or the load is measured
  std::unique_ptr<Rest> rest_;
  std::unique_ptr<ServerLoad> load_;
};

}  // namespace spillway::engine
