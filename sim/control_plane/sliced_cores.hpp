// Work that takes turns on the cores of a host, as goroutines do: each piece runs for at most a time slice, then goes
// to the end of the queue.
//
//   SlicedCores cores(8, 10ms);
//   cores.add(now, 25ms, place);
//   cores.next_event();              // when the first slice ends
//   place = cores.take_event(at);    // then: the piece that is done, if it was its last slice
//
// Pieces shorter than a slice are served in order and do not wait for all others, unlike on evenly shared cores
// (shared_cores.hpp). Go's scheduler takes a core from a goroutine after 10 ms (forcePreemptNS of runtime/proc.go). Its
// queues, one per core with work stealing, are one queue here. O(log cores) per slice.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <queue>

namespace spillway::control_plane {

class SlicedCores {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  // Precondition: `slice` is above 0.
  SlicedCores(std::uint32_t cores, Nanoseconds slice) : cores_(cores), slice_(slice) {}

  void add(Nanoseconds now, Nanoseconds work, std::uint32_t place) {
    ready_.push_back({work, place});
    start(now);
  }

  // Returns the end of the next slice; Nanoseconds::max() if nothing runs.
  [[nodiscard]] Nanoseconds next_event() const { return running_.empty() ? Nanoseconds::max() : running_.top().end; }

  std::optional<std::uint32_t> take_event(Nanoseconds now) {
    const Running ended = running_.top();
    running_.pop();
    busy_ += ended.length;
    started_ -= ended.end - ended.length;
    if (ended.left > Nanoseconds{0}) {
      ready_.push_back({ended.left, ended.place});
    }
    start(now);
    return ended.left > Nanoseconds{0} ? std::nullopt : std::optional(ended.place);
  }

  // Returns the busy time of all cores together, so far.
  [[nodiscard]] double busy_nanoseconds(Nanoseconds now) const {
    const auto under_way = static_cast<std::int64_t>(running_.size()) * now - started_;
    return static_cast<double>((busy_ + under_way).count());
  }

 private:
  struct Waiting {
    Nanoseconds left{0};
    std::uint32_t place = 0;
  };
  struct Running {
    Nanoseconds end{0};
    std::uint64_t sequence = 0;
    Nanoseconds length{0};  // of the slice
    Nanoseconds left{0};    // after it
    std::uint32_t place = 0;
    [[nodiscard]] friend bool operator<(const Running& one, const Running& other) noexcept {
      return one.end != other.end ? other.end < one.end : other.sequence < one.sequence;  // the first on top
    }
  };

  void start(Nanoseconds now) {
    while (running_.size() < cores_ && !ready_.empty()) {
      const Waiting next = ready_.front();
      ready_.pop_front();
      const Nanoseconds length = std::min(slice_, next.left);
      running_.push({now + length, sequence_++, length, next.left - length, next.place});
      started_ += now;
    }
  }

  std::uint32_t cores_;
  Nanoseconds slice_;
  std::deque<Waiting> ready_;
  std::priority_queue<Running> running_;
  std::uint64_t sequence_ = 0;
  Nanoseconds busy_{0};     // of slices that have ended
  Nanoseconds started_{0};  // the sum of the start times of running slices
};

}  // namespace spillway::control_plane
