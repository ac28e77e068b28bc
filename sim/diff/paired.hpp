// Paired replications: what the differences of two sides that were simulated with the same draws say.
//
//   double quantile = student_quantile(0.05, 9);   // 2.262: 5 % of Student's distribution lies outside +-2.262
//   double margin = half_width(changes, 0.05);     // of the 95 % interval around their mean
#pragma once

#include <cstddef>
#include <span>

namespace spillway::diff {

[[nodiscard]] double mean(std::span<const double> values);

// The value that leaves `outside` (above 0, below 1) of Student's distribution beyond it, both tails together. Needs at
// least one degree of freedom. By bisection over the finite series of Abramowitz and Stegun 26.7.3 and 26.7.4, whose
// length is half of the degrees of freedom: within 1e-9 of the true value for an `outside` of 1e-10 and more.
[[nodiscard]] double student_quantile(double outside, std::size_t degrees_of_freedom);

// Half the width of the interval of the mean that leaves out `outside`, one minus its confidence. Needs two values.
[[nodiscard]] double half_width(std::span<const double> values, double outside);

}  // namespace spillway::diff
