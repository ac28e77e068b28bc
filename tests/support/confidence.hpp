// Confidence intervals of steady-state simulations by batch means.
//
//   BatchMeans waits(30);
//   for (double wait : all) { waits.add(wait); }        // in the order of time, in equal batches
//   CHECK(waits.contains(expected, quantile));
//
// The observations are cut into equal batches, long against the correlation between neighbours, whose means are then
// nearly independent and normal; the interval is Student's.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace spillway::support {

// The quantile of Student's t for 29 degrees of freedom that leaves 0.00005 on either side: 30 batches, and a family of
// up to 100 intervals all of which hold with a probability of 0.99 (Bonferroni). t(29; 0.99995) = 4.5055.
inline constexpr std::size_t batches = 30;
inline constexpr double family_quantile = 4.5055;

struct Interval {
  double middle = 0.0;
  double half_width = 0.0;
  [[nodiscard]] bool contains(double value) const { return std::abs(value - middle) <= half_width; }
};

// Of observations in the order of time, the first tenth of which is left out as warm-up.
inline Interval batch_means(const std::vector<double>& observations) {
  const std::size_t first = observations.size() / 10;
  const std::size_t length = (observations.size() - first) / batches;
  std::vector<double> means;
  for (std::size_t batch = 0; batch < batches; ++batch) {
    double sum = 0.0;
    for (std::size_t i = 0; i < length; ++i) {
      sum += observations[first + batch * length + i];
    }
    means.push_back(sum / static_cast<double>(length));
  }
  double sum = 0.0;
  for (const double mean : means) {
    sum += mean;
  }
  const double middle = sum / static_cast<double>(batches);
  double squares = 0.0;
  for (const double mean : means) {
    squares += (mean - middle) * (mean - middle);
  }
  const auto count = static_cast<double>(batches);
  return {middle, family_quantile * std::sqrt(squares / (count - 1.0) / count)};
}

}  // namespace spillway::support
