#include "sim/engine/fifo_station.hpp"

#include <algorithm>

namespace spillway::engine {

FifoStation::FifoStation(const scenario::Servers& servers)
    : cores_(servers.cores), limit_(servers.queue.value_or(0)), limited_(servers.queue.has_value()) {
  if (cores_ > few || limited_) {
    rest_ = std::make_unique<Rest>();
    rest_->free_at.resize(cores_ > few ? cores_ : 0, Nanoseconds{0});
  }
}

bool FifoStation::wait(Nanoseconds now, Nanoseconds start) {
  std::vector<Nanoseconds>& starts = rest_->starts;
  std::size_t& oldest = rest_->oldest;
  std::size_t& waiting = rest_->waiting;
  while (waiting > 0 && starts[oldest] <= now) {
    oldest = (oldest + 1) % starts.size();
    --waiting;
  }
  if (waiting >= limit_) {
    return false;
  }
  if (waiting == starts.size()) {
    // Longer than ever before: the ring is laid out anew, from its oldest on.
    std::rotate(starts.begin(), starts.begin() + static_cast<std::ptrdiff_t>(oldest), starts.end());
    oldest = 0;
    starts.resize(std::max<std::size_t>(4, 2 * starts.size()));
  }
  starts[(oldest + waiting) % starts.size()] = start;
  ++waiting;
  return true;
}

void FifoStation::replace_first(Nanoseconds end) noexcept {
  std::vector<Nanoseconds>& free_at = rest_->free_at;
  std::size_t place = 0;
  for (std::size_t child = 1; child < free_at.size(); child = 2 * place + 1) {
    if (child + 1 < free_at.size() && free_at[child + 1] < free_at[child]) {
      ++child;
    }
    if (free_at[child] >= end) {
      break;
    }
    free_at[place] = free_at[child];
    place = child;
  }
  free_at[place] = end;
}

}  // namespace spillway::engine
