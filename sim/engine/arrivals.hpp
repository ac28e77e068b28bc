// When the requests of one client entry arrive, and from which of its clients: one superposed stream.
//
// N clients of rate r are one source of rate N r whose every arrival names a client: for Poisson arrivals a uniform one
// (exactly N independent processes), for periodic arrivals each in turn (client i is i / (N r) seconds behind the
// first). Times are whole nanoseconds, rounded as soon as they are drawn.
//
//   Arrivals arrivals({poisson, 50.0, 20}, stream);
//   while (arrivals.next().at < end) { play(arrivals.next()); arrivals.advance(); }
//   arrivals.set_rate(10s, 80.0);   // a phase begins: the next arrival is drawn anew from here
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>

#include "models/numeric/logarithm.hpp"
#include "sim/engine/random_stream.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::engine {

using Nanoseconds = std::chrono::nanoseconds;

struct Arrival {
  Nanoseconds at{0};
  std::uint32_t client = 0;  // within the entry
};

class Arrivals {
 public:
  // Where a rate is 0 no arrival comes: the next one is this far away.
  static constexpr Nanoseconds never = Nanoseconds::max();

  // `rate` is requests a second of one client. Draws: two an arrival for Poisson, none for periodic.
  Arrivals(scenario::Arrivals kind, double rate, std::uint32_t clients, RandomStream stream)
      : kind_(kind), clients_(clients), stream_(stream) {
    set_rate(Nanoseconds{0}, rate);
  }

  // From `now` on arrivals come at this rate. Poisson arrivals have no memory, so the gap begins anew; periodic ones
  // begin a new round.
  void set_rate(Nanoseconds now, double rate) noexcept {
    rate_ = rate;
    phase_start_ = now;
    round_ = 0;
    next_ = {now, 0};
    if (rate_ <= 0.0) {
      next_.at = never;
      return;
    }
    mean_gap_ = 1e9 / (rate * static_cast<double>(clients_));
    if (kind_ == scenario::Arrivals::poisson) {
      advance();
    }
  }

  [[nodiscard]] const Arrival& next() const noexcept { return next_; }
  [[nodiscard]] double rate() const noexcept { return rate_; }

  // The rate must not be 0.
  void advance() noexcept {
    if (kind_ == scenario::Arrivals::periodic) {
      ++round_;
      next_.at = phase_start_ + whole_nanoseconds(static_cast<double>(round_) * mean_gap_);
      next_.client = static_cast<std::uint32_t>(round_ % clients_);
      return;
    }
    const double unit = unit_interval(stream_);
    next_.at += whole_nanoseconds(-numeric::natural_logarithm(unit) * mean_gap_);
    const std::uint64_t which = stream_();
    next_.client = static_cast<std::uint32_t>(((which >> 32) * clients_) >> 32);
  }

  [[nodiscard]] const RandomStream& stream() const noexcept { return stream_; }

 private:
  // A gap of years stands for longer ones, which would not fit.
  static Nanoseconds whole_nanoseconds(double gap) noexcept { return Nanoseconds{std::llround(std::min(gap, 1e17))}; }

  scenario::Arrivals kind_;
  std::uint32_t clients_;
  double rate_ = 0.0;
  double mean_gap_ = 0.0;  // nanoseconds
  Nanoseconds phase_start_{0};
  std::uint64_t round_ = 0;  // periodic arrivals since the phase began
  Arrival next_;
  RandomStream stream_;
};

}  // namespace spillway::engine
