// Quantiles of many durations in little memory: a logarithmic histogram with bounded relative error.
//
// Each power of two is divided into 64 equal cells. A quantile is the middle of its cell, so it is within 1/128 (0.8 %)
// of the true order statistic; the maximum is exact. Limits are not checked by cells, but counted:
//
//   LatencyHistogram latency;
//   latency.count_within({50ms});
//   latency.add(duration);
//   latency.within(0);             // durations of at most 50 ms, exactly
//
// Memory: 8 bytes per cell up to the largest duration seen, at most 30 kB. add is O(1 + limits).
#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace spillway::engine {

class LatencyHistogram {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  // Also counts, from this call on, the durations up to each of these limits (inclusive).
  void count_within(std::vector<Nanoseconds> limits) {
    limits_ = std::move(limits);
    within_.assign(limits_.size(), 0);
  }
  // Returns the number of durations within a limit. `limit` is an index in count_within()'s list.
  [[nodiscard]] std::uint64_t within(std::size_t limit) const noexcept { return within_[limit]; }

  // Adds a duration `times` times. Precondition: the duration is not negative.
  [[gnu::always_inline]] void add(Nanoseconds duration, std::uint64_t times = 1) {
    const auto value = static_cast<std::uint64_t>(duration.count());
    const std::size_t cell = cell_of(value);
    make_room(cell);
    counts_[cell] += times;
    total_ += times;
    maximum_ = std::max(maximum_, value);
    for (std::size_t limit = 0; limit < limits_.size(); ++limit) {
      within_[limit] += duration <= limits_[limit] ? times : 0;
    }
  }
  // Adds each duration once; faster than one by one.
  void add(std::span<const Nanoseconds> durations) {
    for (const Nanoseconds duration : durations) {
      maximum_ = std::max(maximum_, static_cast<std::uint64_t>(duration.count()));
    }
    make_room(cell_of(maximum_));
    std::uint64_t* const counts = counts_.data();
    for (const Nanoseconds duration : durations) {
      ++counts[cell_of(static_cast<std::uint64_t>(duration.count()))];
    }
    total_ += durations.size();
    for (std::size_t limit = 0; limit < limits_.size(); ++limit) {
      within_[limit] += static_cast<std::uint64_t>(std::count_if(
          durations.begin(), durations.end(), [&](Nanoseconds duration) { return duration <= limits_[limit]; }));
    }
  }

  // Adds all durations of the other histogram, but not its counts within limits.
  void add(const LatencyHistogram& other) {
    if (other.counts_.size() > counts_.size()) {
      counts_.resize(other.counts_.size(), 0);
    }
    for (std::size_t cell = 0; cell < other.counts_.size(); ++cell) {
      counts_[cell] += other.counts_[cell];
    }
    total_ += other.total_;
    maximum_ = std::max(maximum_, other.maximum_);
  }

  // Adds durations of one cell, as numbered by cells(). The maximum is then the middle of the last cell with one.
  void add_to_cell(std::size_t cell, std::uint64_t times) {
    make_room(cell);
    counts_[cell] += times;
    total_ += times;
    maximum_ = times > 0 ? std::max(maximum_, middle_of(cell)) : maximum_;
  }
  // Adds durations of all cells.
  void add_cells(std::span<const std::uint64_t> cells) {
    counts_.resize(std::max(counts_.size(), cells.size()), 0);
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      add_to_cell(cell, cells[cell]);
    }
  }
  [[nodiscard]] std::span<const std::uint64_t> cells() const noexcept { return counts_; }

  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }
  [[nodiscard]] Nanoseconds maximum() const noexcept { return Nanoseconds{static_cast<std::int64_t>(maximum_)}; }

  // Returns the smallest duration that at least `fraction` of all are not above (0 < fraction <= 1); 0 if there are
  // none.
  [[nodiscard]] Nanoseconds quantile(double fraction) const {
    std::uint64_t seen = 0;
    const double wanted = fraction * static_cast<double>(total_);
    for (std::size_t cell = 0; cell < counts_.size(); ++cell) {
      seen += counts_[cell];
      if (counts_[cell] > 0 && static_cast<double>(seen) >= wanted) {
        return Nanoseconds{static_cast<std::int64_t>(std::min(middle_of(cell), maximum_))};
      }
    }
    return maximum();
  }

 private:
  static constexpr unsigned cell_bits = 6;

  [[gnu::always_inline]] void make_room(std::size_t cell) {
    if (cell >= counts_.size()) [[unlikely]] {
      grow(cell);
    }
  }
  [[gnu::noinline]] void grow(std::size_t cell) { counts_.resize(cell + 1, 0); }

  // Returns the cell of a value. Values below 128 have a cell each; above, the leading 7 bits are the cell.
  static std::size_t cell_of(std::uint64_t value) noexcept {
    const auto shift = static_cast<unsigned>(std::bit_width(value | (1ULL << cell_bits))) - cell_bits - 1;
    return (static_cast<std::size_t>(shift) << cell_bits) + static_cast<std::size_t>(value >> shift);
  }

  static std::uint64_t middle_of(std::size_t cell) noexcept {
    if (cell < (2ULL << cell_bits)) {
      return cell;
    }
    const std::size_t shift = (cell >> cell_bits) - 1;
    const std::uint64_t low = static_cast<std::uint64_t>(cell - (shift << cell_bits)) << shift;
    return low + (1ULL << shift) / 2;
  }

  std::vector<std::uint64_t> counts_;
  std::uint64_t total_ = 0;
  std::uint64_t maximum_ = 0;
  std::vector<Nanoseconds> limits_;
  std::vector<std::uint64_t> within_;  // by limit
};

}  // namespace spillway::engine
