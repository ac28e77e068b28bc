#include "sim/engine/fifo_station.hpp"

#include <algorithm>

namespace spillway::engine {

FifoStation::FifoStation(const scenario::Servers& servers)
    : free_at_(servers.cores, Nanoseconds{0}), limit_(servers.queue) {}

bool FifoStation::wait(Nanoseconds now, Nanoseconds start) {
  while (waiting_ > 0 && starts_[oldest_] <= now) {
    oldest_ = (oldest_ + 1) % starts_.size();
    --waiting_;
  }
  if (waiting_ >= *limit_) {
    return false;
  }
  if (waiting_ == starts_.size()) {
    // Longer than ever before: the ring is laid out anew, from its oldest on.
    std::rotate(starts_.begin(), starts_.begin() + static_cast<std::ptrdiff_t>(oldest_), starts_.end());
    oldest_ = 0;
    starts_.resize(std::max<std::size_t>(4, 2 * starts_.size()));
  }
  starts_[(oldest_ + waiting_) % starts_.size()] = start;
  ++waiting_;
  return true;
}

void FifoStation::replace_first(Nanoseconds end) noexcept {
  std::size_t place = 0;
  for (std::size_t child = 1; child < free_at_.size(); child = 2 * place + 1) {
    if (child + 1 < free_at_.size() && free_at_[child + 1] < free_at_[child]) {
      ++child;
    }
    if (free_at_[child] >= end) {
      break;
    }
    free_at_[place] = free_at_[child];
    place = child;
  }
  free_at_[place] = end;
}

}  // namespace spillway::engine
