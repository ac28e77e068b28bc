// The arrivals of one client entry and the client of each: one superposed stream.
//
// N clients of rate r are one source of rate N r. Each arrival names a client. Poisson: a uniform one (exactly N
// independent processes). Periodic: each in turn (client i is i / (N r) seconds behind the first). Uniform: gaps drawn
// from 0 to twice the mean, and again any client. If the rate grows or falls evenly, gaps are measured in expected
// arrivals. Times are whole nanoseconds, rounded as soon as they are drawn.
//
//   Arrivals arrivals({poisson, 50.0, 20}, stream);
//   while (arrivals.next().at < end) { simulate(arrivals.next()); arrivals.advance(); }
//   arrivals.set_rate(10s, 80.0);   // a phase begins: the next arrival is drawn anew from here
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "models/numeric/logarithm.hpp"
#include "sim/engine/random_stream.hpp"
#include "sim/engine/whole_nanoseconds.hpp"
#include "sim/scenario/workload.hpp"

namespace spillway::engine {

using Nanoseconds = std::chrono::nanoseconds;

struct Arrival {
  Nanoseconds at{0};
  std::uint32_t client = 0;  // within the entry
};

class Arrivals {
 public:
  // The time of the next arrival if the rate is 0: none comes.
  static constexpr Nanoseconds never = Nanoseconds::max();
  static constexpr std::size_t batch = 128;  // take() returns at most this many

  // `rate` is requests per second of one client, and grows by `slope` each second. Draws: two per arrival, none for
  // periodic arrivals.
  Arrivals(scenario::Arrivals kind, double rate, std::uint32_t clients, RandomStream stream, double slope = 0.0)
      : kind_(kind), clients_(clients), stream_(stream) {
    set_rate(Nanoseconds{0}, rate, slope);
  }

  // Arrivals of a trace: no draws, no rate.
  Arrivals(std::shared_ptr<const std::vector<scenario::TracedArrival>> trace, RandomStream stream)
      : kind_(scenario::Arrivals::trace), clients_(1), stream_(stream), trace_(std::move(trace)) {
    next_ = traced();
  }

  // Sets the rate of arrivals from `now` on; users who wait for responses are not included. Poisson arrivals have no
  // memory, so the gap is drawn again; periodic ones begin a new round.
  void set_rate(Nanoseconds now, double rate, double slope = 0.0) noexcept {
    rate_ = rate;
    slope_ = slope;
    phase_start_ = now;
    round_ = 0;
    expected_ = 0.0;
    next_ = {now, 0};
    if ((rate_ <= 0.0 && slope_ <= 0.0) || kind_ == scenario::Arrivals::closed) {
      next_.at = never;
      return;
    }
    mean_gap_ = 1e9 / (rate * static_cast<double>(clients_));
    if (kind_ != scenario::Arrivals::periodic) {
      advance();
    }
  }

  [[nodiscard]] const Arrival& next() const noexcept { return next_; }
  [[nodiscard]] double rate() const noexcept { return rate_; }

  // Precondition: there is a next arrival.
  void advance() noexcept {
    if (kind_ == scenario::Arrivals::trace) {
      ++round_;
      next_ = traced();
      return;
    }
    if (kind_ == scenario::Arrivals::periodic) {
      ++round_;
      next_.at = slope_ == 0.0 ? phase_start_ + whole(static_cast<double>(round_) * mean_gap_)
                               : on_ramp(static_cast<double>(round_));
      next_.client = static_cast<std::uint32_t>(round_ % clients_);
      return;
    }
    const double unit = unit_interval(stream_);
    const double gap = kind_ == scenario::Arrivals::poisson ? -numeric::natural_logarithm(unit) : 2.0 * unit;
    if (slope_ == 0.0) {
      next_.at += whole(gap * mean_gap_);
    } else {
      expected_ += gap;
      next_.at = on_ramp(expected_);
    }
    next_.client = client_of(stream_());
  }

  // Returns the arrivals before `limit`, at most one batch at a time; empty once there is none. Equal to next() and
  // advance(), but computed together. Valid until the next call.
  [[nodiscard]] std::span<const Arrival> take(Nanoseconds limit) {
    if (next_.at >= limit) {
      return {};
    }
    taken_.resize(batch);
    const double left = static_cast<double>((limit - next_.at).count());
    if (kind_ == scenario::Arrivals::poisson && slope_ == 0.0 && left >= batch * mean_gap_) {
      return take_poisson(limit);
    }
    std::size_t count = 0;
    for (; count < batch && next_.at < limit; ++count) {
      taken_[count] = next_;
      advance();
    }
    return {taken_.data(), count};
  }

  [[nodiscard]] const RandomStream& stream() const noexcept { return stream_; }

 private:
  [[nodiscard]] Arrival traced() const noexcept {
    return round_ < trace_->size() ? Arrival{(*trace_)[round_].at, (*trace_)[round_].client} : Arrival{never, 0};
  }

  // Rounds a gap to nanoseconds; gaps are limited to some years.
  static Nanoseconds whole(double gap) noexcept { return whole_nanoseconds(gap, 1e17); }

  // Returns the time at which this many arrivals of the phase are expected: the integral of the rate solved for the
  // time, in the form that loses no digits. Never, if the rate falls to 0 before.
  [[nodiscard]] Nanoseconds on_ramp(double arrivals) const noexcept {
    const double of_one = arrivals / static_cast<double>(clients_);
    const double square = rate_ * rate_ + 2.0 * slope_ * of_one;
    if (square < 0.0) {
      return never;
    }
    const double divisor = rate_ + std::sqrt(square);
    return phase_start_ + (divisor > 0.0 ? whole(2e9 * of_one / divisor) : Nanoseconds{0});
  }

  // Takes Poisson arrivals. The loops are separate so that the processor can compute several logarithms at a time.
  [[nodiscard]] std::span<const Arrival> take_poisson(Nanoseconds limit) noexcept {
    const RandomStream before = stream_;
    double gaps[batch];
    std::uint32_t clients[batch];
    for (std::size_t i = 0; i < batch; ++i) {
      gaps[i] = unit_interval(stream_);
      clients[i] = client_of(stream_());
    }
    numeric::natural_logarithms(gaps, batch);
    for (std::size_t i = 0; i < batch; ++i) {
      taken_[i] = next_;
      next_ = {next_.at + whole(-gaps[i] * mean_gap_), clients[i]};
      if (next_.at >= limit) {
        // Returns unused draws to the stream.
        stream_ = before;
        for (std::size_t drawn = 0; drawn < 2 * (i + 1); ++drawn) {
          (void)stream_();
        }
        return {taken_.data(), i + 1};
      }
    }
    return taken_;
  }

  [[nodiscard]] std::uint32_t client_of(std::uint64_t draw) const noexcept {
    return static_cast<std::uint32_t>(((draw >> 32) * clients_) >> 32);
  }

  scenario::Arrivals kind_;
  std::uint32_t clients_;
  double rate_ = 0.0;  // at the beginning of the phase
  double slope_ = 0.0;
  double mean_gap_ = 0.0;  // nanoseconds
  Nanoseconds phase_start_{0};
  std::uint64_t round_ = 0;  // periodic arrivals since the phase began; place in the trace
  double expected_ = 0.0;    // on a ramp: the number expected up to the next one
  Arrival next_;
  RandomStream stream_;
  std::vector<Arrival> taken_;  // empty before the first take()
  std::shared_ptr<const std::vector<scenario::TracedArrival>> trace_;
};

}  // namespace spillway::engine
