// When the requests of one client entry arrive, and from which of its clients: one superposed stream.
//
// N clients of rate r are one source of rate N r whose every arrival names a client: for Poisson arrivals a uniform one
// (exactly N independent processes), for periodic arrivals each in turn (client i is i / (N r) seconds behind the
// first). Times are whole nanoseconds, rounded as soon as they are drawn.
//
//   Arrivals arrivals({poisson, 50.0, 20}, stream);
//   while (arrivals.next().at < end) { play(arrivals.next()); arrivals.advance(); }
#pragma once

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
  // `rate` is requests a second of one client, above 0; draws: two an arrival for Poisson, none for periodic.
  Arrivals(scenario::Arrivals kind, double rate, std::uint32_t clients, RandomStream stream)
      : kind_(kind), clients_(clients), mean_gap_(1e9 / (rate * static_cast<double>(clients))), stream_(stream) {
    if (kind_ == scenario::Arrivals::poisson) {
      advance();
    }
  }

  [[nodiscard]] const Arrival& next() const noexcept { return next_; }

  void advance() noexcept {
    if (kind_ == scenario::Arrivals::periodic) {
      ++sequence_;
      next_.at = Nanoseconds{std::llround(static_cast<double>(sequence_) * mean_gap_)};
      next_.client = static_cast<std::uint32_t>(sequence_ % clients_);
      return;
    }
    const double unit = unit_interval(stream_);
    next_.at += Nanoseconds{std::llround(-numeric::natural_logarithm(unit) * mean_gap_)};
    const std::uint64_t which = stream_();
    next_.client = static_cast<std::uint32_t>(((which >> 32) * clients_) >> 32);
  }

  [[nodiscard]] const RandomStream& stream() const noexcept { return stream_; }

 private:
  scenario::Arrivals kind_;
  std::uint32_t clients_;
  double mean_gap_;  // nanoseconds
  std::uint64_t sequence_ = 0;
  Arrival next_;
  RandomStream stream_;
};

}  // namespace spillway::engine
