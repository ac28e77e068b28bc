#include "sim/engine/fifo_server.hpp"

#include <algorithm>

namespace spillway::engine {

FifoServer::FifoServer(const scenario::Servers& servers)
    : cores_(servers.cores), limit_(servers.queue.value_or(UINT32_MAX)), keeps_line_(servers.queue.has_value()) {
  if (cores_ > few || keeps_line_) {
    rest_ = std::make_unique<Rest>();
    rest_->free_at.resize(cores_ > few ? cores_ : 0, Nanoseconds{0});
  }
}

void FifoServer::measure(std::span<const Nanoseconds> ends) {
  load_ = std::make_unique<ServerLoad>(ends);
  keeps_line_ = true;
  rest_ = rest_ ? std::move(rest_) : std::make_unique<Rest>();
}

// Ends the load periods that are over. Cores are continuously busy from now until they are free, and waiting requests
// wait until they start; this determines how much of the times already added belongs to later periods.
void FifoServer::end_periods(Nanoseconds now) {
  while (load_ && load_->is_over(now)) {
    const Nanoseconds end = load_->end();
    leave_line(end);
    const auto left = [end](Nanoseconds until) {
      return static_cast<double>(std::max(until - end, Nanoseconds{0}).count());
    };
    double busy = 0.0;
    for (std::size_t core = 0; core < cores_; ++core) {
      busy += left(cores_ <= few ? few_free_at_[core] : rest_->free_at[core]);
    }
    double waited = 0.0;
    for (std::size_t place = 0; place < rest_->waiting; ++place) {
      waited += left(rest_->starts[(rest_->oldest + place) % rest_->starts.size()]);
    }
    load_->close(busy, waited, rest_->waiting);
  }
}

void FifoServer::leave_line(Nanoseconds now) noexcept {
  while (rest_->waiting > 0 && rest_->starts[rest_->oldest] <= now) {
    rest_->oldest = (rest_->oldest + 1) % rest_->starts.size();
    --rest_->waiting;
  }
}

bool FifoServer::enter(Nanoseconds now, Nanoseconds start, Nanoseconds service_time) {
  if (load_ && load_->is_over(now)) {
    end_periods(now);
  }
  if (start > now && !wait(now, start)) {
    return false;
  }
  if (load_) {
    load_->serve(service_time);
  }
  return true;
}

bool FifoServer::wait(Nanoseconds now, Nanoseconds start) {
  std::vector<Nanoseconds>& starts = rest_->starts;
  std::size_t& oldest = rest_->oldest;
  std::size_t& waiting = rest_->waiting;
  leave_line(now);
  if (waiting >= limit_) {
    return false;
  }
  if (waiting == starts.size()) {
    // The queue is longer than ever before: rotates the ring to begin with its oldest entry, and enlarges it.
    std::rotate(starts.begin(), starts.begin() + static_cast<std::ptrdiff_t>(oldest), starts.end());
    oldest = 0;
    starts.resize(std::max<std::size_t>(4, 2 * starts.size()));
  }
  starts[(oldest + waiting) % starts.size()] = start;
  ++waiting;
  if (load_) {
    load_->wait(start - now, waiting);
  }
  return true;
}

void FifoServer::replace_first(Nanoseconds end) noexcept {
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
