// Quantiles of Student's t distribution, for intervals of means.
//
//   student_quantile(0.05, 9);  // 2.262157: 5 % of the distribution lies outside +-2.262157
//   student_quantile_95(9);     // the same to six digits, in constant time
#pragma once

#include <cstddef>

namespace spillway::statistics {

// Returns the t with a probability of `outside` beyond +-t. Preconditions: 0 < `outside` < 1, and at least one degree
// of freedom. Accurate to 1e-9 for an `outside` of 1e-10 and more. O(degrees of freedom) per step of the bisection.
// Source: finite series of Abramowitz and Stegun 26.7.3 and 26.7.4.
[[nodiscard]] double student_quantile(double outside, std::size_t degrees_of_freedom);

// Returns the t with a probability of 5 % beyond +-t, to six digits after the point. O(1): intervals of every row of a
// run need it. Precondition: at least one degree of freedom. Source: printed tables up to 30 degrees of freedom, beyond
// them the first terms of the expansion around the normal quantile, Abramowitz and Stegun 26.7.5.
[[nodiscard]] double student_quantile_95(std::size_t degrees_of_freedom);

}  // namespace spillway::statistics
