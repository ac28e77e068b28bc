// Work that shares the cores of a host: as many pieces as there are cores run at full speed, more share evenly.
//
//   SharedCores cores(8);
//   cores.add(now, 5ms, place);
//   cores.next_end();               // when the first piece will be done if nothing is added
//   place = cores.take_ended(at);   // then
//
// What SimGrid's executions on one host do (a test holds both against each other), and what a Go program's goroutines
// nearly do. Here adding and ending are O(log n) of the pieces under way; SimGrid's cost n each, and thousands are.
// Every piece gets the same share, so they end in the order of the work that was done for each when it began plus its
// own: one clock of that work serves all.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <queue>
#include <vector>

namespace spillway::control_plane {

class SharedCores {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  explicit SharedCores(std::uint32_t cores) : cores_(cores) {}

  void add(Nanoseconds now, Nanoseconds work, std::uint32_t place) {
    advance(now);
    pieces_.push({done_ + static_cast<double>(work.count()), sequence_++, place});
  }

  // Nanoseconds::max() if nothing is under way. Rounded up to nanoseconds.
  [[nodiscard]] Nanoseconds next_end() const {
    if (pieces_.empty()) {
      return Nanoseconds::max();
    }
    const double left = std::max(pieces_.top().end - done_, 0.0);
    constexpr double never = 4e18;
    const double wait = std::ceil(left / share());
    return wait < never ? now_ + Nanoseconds{static_cast<std::int64_t>(wait)} : Nanoseconds::max();
  }

  std::uint32_t take_ended(Nanoseconds now) {
    advance(now);
    const std::uint32_t place = pieces_.top().place;
    pieces_.pop();
    if (pieces_.empty()) {
      done_ = 0.0;
    }
    return place;
  }

  // Of all cores together, so far.
  [[nodiscard]] double busy_nanoseconds(Nanoseconds now) {
    advance(now);
    return busy_;
  }

 private:
  struct Piece {
    double end = 0.0;  // of the clock of work
    std::uint64_t sequence = 0;
    std::uint32_t place = 0;
    [[nodiscard]] friend bool operator<(const Piece& left, const Piece& right) noexcept {
      return left.end != right.end ? right.end < left.end : right.sequence < left.sequence;  // the first on top
    }
  };

  // Of a core, for each piece.
  [[nodiscard]] double share() const {
    return pieces_.size() <= cores_ ? 1.0 : static_cast<double>(cores_) / static_cast<double>(pieces_.size());
  }
  void advance(Nanoseconds now) {
    if (!pieces_.empty()) {
      const double work = static_cast<double>((now - now_).count()) * share();
      done_ += work;
      busy_ += work * static_cast<double>(pieces_.size());
    }
    now_ = now;
  }

  std::uint32_t cores_;
  std::priority_queue<Piece> pieces_;
  std::uint64_t sequence_ = 0;
  double done_ = 0.0;  // for each piece that was there all the time, nanoseconds
  double busy_ = 0.0;
  Nanoseconds now_{0};
};

}  // namespace spillway::control_plane
