#include "sim/engine/service_time.hpp"

#include <algorithm>

namespace spillway::engine {

ServiceTime::ServiceTime(Nanoseconds mean, const scenario::ServiceVariation& variation)
    : distribution_(variation.distribution), constant_(mean), mean_(static_cast<double>(mean.count())) {
  const double square = variation.coefficient_of_variation * variation.coefficient_of_variation;
  // Without variation, or with a mean of 0, every distribution is constant.
  const bool varies = distribution_ == scenario::ServiceDistribution::exponential ||
                      distribution_ == scenario::ServiceDistribution::empirical ||
                      (distribution_ != scenario::ServiceDistribution::constant && square > 0.0);
  if (!varies || (distribution_ != scenario::ServiceDistribution::empirical && constant_ == Nanoseconds{0})) {
    distribution_ = scenario::ServiceDistribution::constant;
  }
  switch (distribution_) {
    case scenario::ServiceDistribution::constant:
    case scenario::ServiceDistribution::exponential:
      break;
    case scenario::ServiceDistribution::lognormal: {
      const double variance = numeric::natural_logarithm(1.0 + square);
      first_ = numeric::natural_logarithm(mean_) - 0.5 * variance;
      second_ = std::sqrt(variance);
      break;
    }
    case scenario::ServiceDistribution::gamma: {
      const double shape = 1.0 / square;
      mean_ *= square;
      first_ = (shape < 1.0 ? shape + 1.0 : shape) - 1.0 / 3.0;
      second_ = 1.0 / std::sqrt(9.0 * first_);
      chance_ = shape < 1.0 ? square : 0.0;
      break;
    }
    case scenario::ServiceDistribution::hyperexponential:
      chance_ = 0.5 * (1.0 + std::sqrt((square - 1.0) / (square + 1.0)));
      first_ = mean_ / (2.0 * chance_);
      second_ = mean_ / (2.0 * (1.0 - chance_));
      break;
    case scenario::ServiceDistribution::empirical: {
      std::vector<double> weights;
      for (const auto& measured : variation.measured) {
        values_.push_back(measured.time);
        weights.push_back(measured.weight);
      }
      which_ = AliasTable(weights);
      break;
    }
  }
}

void ServiceTime::draw_exponentials(RandomStream& stream, std::span<Nanoseconds> times) const noexcept {
  constexpr std::size_t most = 16;
  double values[most];
  while (!times.empty()) {
    const std::size_t count = std::min(most, times.size());
    std::fill_n(values, most, 1.0);
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = unit_interval(stream);
    }
    numeric::natural_logarithms(values, most);
    for (std::size_t i = 0; i < count; ++i) {
      times[i] = rounded(-values[i] * mean_);
    }
    times = times.subspan(count);
  }
}

}  // namespace spillway::engine
