#include "sim/engine/disturbed_server.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace spillway::engine {

namespace {

std::chrono::nanoseconds stretched(std::chrono::nanoseconds time, double factor) {
  if (factor == 1.0) {
    return time;
  }
  const double longer = static_cast<double>(time.count()) * factor;
  return std::chrono::nanoseconds{std::llround(std::min(longer, 1e18))};
}

}  // namespace

bool DisturbedServer::leaves_later(const Served& left, const Served& right) const noexcept {
  if (shares() && left.until != right.until) {
    return left.until > right.until;
  }
  if (!shares() && left.end != right.end) {
    return left.end > right.end;
  }
  return left.order > right.order;
}

// Returns the time that 1 ns of work takes if the requests share the cores evenly [ns].
double DisturbedServer::stretch() const noexcept {
  const auto here = static_cast<double>(served_.size());
  return slowness_ * std::max(1.0, here / static_cast<double>(servers_.cores));
}

void DisturbedServer::make_progress(Nanoseconds now) noexcept {
  progress_ += static_cast<double>((now - progress_at_).count()) / stretch();
  progress_at_ = now;
}

// Records the load since the last call: the requests present now were present all that time.
void DisturbedServer::note_load(Nanoseconds now) {
  if (load_) {
    load_->hold(now, std::min<std::size_t>(present(), servers_.cores), in_line());
  }
}

bool DisturbedServer::arrive(Nanoseconds now, std::uint32_t request, Nanoseconds service_time) {
  note_load(now);
  const std::size_t room = servers_.queue.value_or(UINT32_MAX);
  const bool all_busy = served_.size() >= servers_.cores;
  if (all_busy && (shares() ? served_.size() - servers_.cores : waiting()) >= room) {
    return false;
  }
  const Waiting arrival{service_time, arrived_++, request};
  if (all_busy && !shares()) {
    waiting_.push_back(arrival);
  } else {
    serve(now, arrival);
  }
  if (load_) {
    load_->see_line(in_line());
  }
  return true;
}

void DisturbedServer::serve(Nanoseconds now, const Waiting& request) {
  Served served{.order = request.order, .request = request.request};
  if (shares()) {
    if (served_.empty()) {
      progress_ = 0.0;  // small numbers are exact
      progress_at_ = now;
    }
    make_progress(now);
    served.until = progress_ + static_cast<double>(request.service_time.count());
  } else {
    served.end = now + stretched(request.service_time, slowness_);
  }
  served_.push_back(served);
  std::push_heap(served_.begin(), served_.end(),
                 [this](const Served& left, const Served& right) { return leaves_later(left, right); });
}

DisturbedServer::Nanoseconds DisturbedServer::next_departure() const noexcept {
  if (served_.empty()) {
    return never;
  }
  if (!shares()) {
    return served_.front().end;
  }
  const double left = std::max(0.0, (served_.front().until - progress_) * stretch());
  return progress_at_ + Nanoseconds{std::llround(std::min(left, 1e18))};
}

DisturbedServer::Departure DisturbedServer::depart() {
  const Nanoseconds now = next_departure();
  note_load(now);
  if (shares()) {
    // Sets the progress to the departing request's own end, so that rounding errors do not accumulate.
    progress_ = std::max(progress_, served_.front().until);
    progress_at_ = now;
  }
  const Departure departure{served_.front().request, now};
  std::pop_heap(served_.begin(), served_.end(),
                [this](const Served& left, const Served& right) { return leaves_later(left, right); });
  served_.pop_back();
  if (waiting() > 0) {
    serve(now, waiting_[first_waiting_]);
    ++first_waiting_;
    // Frees the served front of the line from time to time, in amortised O(1).
    if (2 * first_waiting_ >= waiting_.size()) {
      waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(first_waiting_));
      first_waiting_ = 0;
    }
  }
  return departure;
}

void DisturbedServer::set_slowness(Nanoseconds now, double slowness) {
  if (shares() && !served_.empty()) {
    make_progress(now);
  }
  slowness_ = slowness;
}

std::vector<std::uint32_t> DisturbedServer::clear(Nanoseconds now) {
  note_load(now);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> all;
  for (const Served& served : served_) {
    all.emplace_back(served.order, served.request);
  }
  for (std::size_t place = first_waiting_; place < waiting_.size(); ++place) {
    all.emplace_back(waiting_[place].order, waiting_[place].request);
  }
  std::sort(all.begin(), all.end());
  served_.clear();
  waiting_.clear();
  first_waiting_ = 0;
  progress_at_ = now;
  std::vector<std::uint32_t> requests;
  for (const auto& [order, request] : all) {
    requests.push_back(request);
  }
  return requests;
}

}  // namespace spillway::engine
