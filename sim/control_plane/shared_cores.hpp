// Work that shares the cores of a host: up to one piece per core runs at full speed, more pieces share evenly.
//
//   SharedCores cores(8);
//   cores.add(now, 5ms, place);
//   cores.next_end();               // when the first piece will be done if nothing is added
//   place = cores.take_ended(at);   // then
//
// Does what SimGrid's executions on one host do (a test compares the two), and approximately what a Go program's
// goroutines do. Adding and ending are O(log n) of the pieces under way; in SimGrid they are O(n), and there are
// thousands. Every piece gets an equal share. So pieces end in the order of their own work plus the work done per piece
// when they began: one clock of that work serves all.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <queue>

namespace spillway::control_plane {

class SharedCores {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  explicit SharedCores(std::uint32_t cores) : cores_(cores) {}

  void add(Nanoseconds now, Nanoseconds work, std::uint32_t place) {
    advance(now);
    pieces_.push({done_ + static_cast<double>(work.count()), sequence_++, place});
  }

  // Returns the end of the next piece, rounded up to nanoseconds; Nanoseconds::max() if nothing is under way.
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

  // Returns the busy time of all cores together, so far.
  [[nodiscard]] double busy_nanoseconds(Nanoseconds now) {
    advance(now);
    return busy_;
  }

 private:
  struct Piece {
    double end = 0.0;  // on the clock of work
    std::uint64_t sequence = 0;
    std::uint32_t place = 0;
    [[nodiscard]] friend bool operator<(const Piece& left, const Piece& right) noexcept {
      return left.end != right.end ? right.end < left.end : right.sequence < left.sequence;  // the first on top
    }
  };

  // Returns the share of a core for each piece.
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
