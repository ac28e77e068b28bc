// Statistics of paired replications: differences of two sides simulated with the same random streams.
//
//   double margin = half_width(changes, 0.05);     // of the 95 % interval around their mean
#pragma once

#include <span>

namespace spillway::diff {

[[nodiscard]] double mean(std::span<const double> values);

// Returns half the width of the mean's interval with confidence 1 - `outside`. Precondition: at least two values.
[[nodiscard]] double half_width(std::span<const double> values, double outside);

}  // namespace spillway::diff
