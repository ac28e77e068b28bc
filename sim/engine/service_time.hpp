// The time that an endpoint works on a request: a distribution with precomputed parameters.
//
//   ServiceTime service_time(10ms, {.distribution = ServiceDistribution::exponential});
//   Nanoseconds demand = service_time(stream);
//
// Times are whole nanoseconds, rounded as soon as they are drawn. Draws: none for constant times, one for exponential
// and empirical ones, two for hyperexponential ones. Lognormal and gamma times make a varying number (about four),
// because their normal deviates are drawn by rejection.
//
// Lognormal: logarithms are normal. Gamma: Marsaglia and Tsang 2000. Hyperexponential: two exponential phases with
// balanced means. Empirical: one of the measured times, by weight.
#pragma once

#include <chrono>
#include <cmath>
#include <span>
#include <vector>

#include "models/numeric/exponential.hpp"
#include "models/numeric/logarithm.hpp"
#include "sim/engine/alias_table.hpp"
#include "sim/engine/random_stream.hpp"
#include "sim/engine/whole_nanoseconds.hpp"
#include "sim/scenario/serving.hpp"

namespace spillway::engine {

class ServiceTime {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  explicit ServiceTime(Nanoseconds mean, const scenario::ServiceVariation& variation = {});

  // is_exponential(): true if draw_exponentials() can draw many times together; they equal those drawn one by one.
  [[nodiscard]] bool is_exponential() const noexcept {
    return distribution_ == scenario::ServiceDistribution::exponential;
  }
  void draw_exponentials(RandomStream& stream, std::span<Nanoseconds> times) const noexcept;

  template <class Draw>
  [[nodiscard]] Nanoseconds operator()(Draw& draw) const {
    switch (distribution_) {
      case scenario::ServiceDistribution::constant:
        break;
      case scenario::ServiceDistribution::exponential:
        return rounded(-numeric::natural_logarithm(unit_interval(draw)) * mean_);
      case scenario::ServiceDistribution::lognormal:
        return rounded(numeric::exponential(first_ + second_ * standard_normal(draw)));
      case scenario::ServiceDistribution::gamma:
        return rounded(gamma(draw));
      case scenario::ServiceDistribution::hyperexponential: {
        const bool short_phase = unit_interval(draw) <= chance_;
        return rounded(-numeric::natural_logarithm(unit_interval(draw)) * (short_phase ? first_ : second_));
      }
      case scenario::ServiceDistribution::empirical:
        return values_[which_(draw)];
    }
    return constant_;
  }

 private:
  // Rounds a time. The limit is longer than any run; larger doubles would not fit.
  static Nanoseconds rounded(double time) noexcept { return whole_nanoseconds(time, 1e18); }

  // Draws by Marsaglia's polar method; the second deviate is unused.
  template <class Draw>
  static double standard_normal(Draw& draw) {
    while (true) {
      const double x = 2.0 * unit_interval(draw) - 1.0;
      const double y = 2.0 * unit_interval(draw) - 1.0;
      const double square = x * x + y * y;
      if (square < 1.0 && square > 0.0) {
        return x * std::sqrt(-2.0 * numeric::natural_logarithm(square) / square);
      }
    }
  }

  template <class Draw>
  double gamma(Draw& draw) const {
    while (true) {
      const double normal = standard_normal(draw);
      const double root = 1.0 + second_ * normal;
      if (root <= 0.0) {
        continue;
      }
      const double cube = root * root * root;
      const double left = numeric::natural_logarithm(unit_interval(draw));
      if (left < 0.5 * normal * normal + first_ * (1.0 - cube + numeric::natural_logarithm(cube))) {
        // Below a shape of 1: the gamma of the next larger shape, times a power of a uniform number.
        const double part =
            chance_ == 0.0 ? 1.0 : numeric::exponential(numeric::natural_logarithm(unit_interval(draw)) * chance_);
        return first_ * cube * part * mean_;
      }
    }
  }

  scenario::ServiceDistribution distribution_;
  Nanoseconds constant_;
  double mean_;  // nanoseconds; of gamma its scale
  // Lognormal: mean and standard deviation of the logarithm. Hyperexponential: the phases' means, and the probability
  // of the first. Gamma: d and c of the method, and 1 / shape if the shape is below 1.
  double first_ = 0.0;
  double second_ = 0.0;
  double chance_ = 0.0;
  AliasTable which_;
  std::vector<Nanoseconds> values_;
};

}  // namespace spillway::engine
