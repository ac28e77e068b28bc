// Statistics of paired replications: differences of two sides simulated with the same random streams.
//
//   double quantile = student_quantile(0.05, 9);   // 2.262: 5 % of Student's distribution lies outside +-2.262
//   double margin = half_width(changes, 0.05);     // of the 95 % interval around their mean
#pragma once

#include <cstddef>
#include <span>

namespace spillway::diff {

[[nodiscard]] double mean(std::span<const double> values);

// Returns the t with a probability of `outside` beyond +-t in Student's distribution. Preconditions: 0 < `outside` < 1,
// and at least one degree of freedom. Accurate to 1e-9 for an `outside` of 1e-10 and more. O(degrees of freedom) per
// step of the bisection. Source: finite series of Abramowitz and Stegun 26.7.3 and 26.7.4.
[[nodiscard]] double student_quantile(double outside, std::size_t degrees_of_freedom);

// Returns half the width of the mean's interval with confidence 1 - `outside`. Precondition: at least two values.
[[nodiscard]] double half_width(std::span<const double> values, double outside);

}  // namespace spillway::diff
