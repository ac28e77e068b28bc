#include "sim/diff/paired.hpp"

#include <cmath>

#include "sim/statistics/student.hpp"

namespace spillway::diff {

double mean(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) {
    sum += value - values.front();
  }
  return values.front() + sum / static_cast<double>(values.size());
}

double half_width(std::span<const double> values, double outside) {
  const double middle = mean(values);
  double squares = 0.0;
  for (const double value : values) {
    squares += (value - middle) * (value - middle);
  }
  const auto count = static_cast<double>(values.size());
  return statistics::student_quantile(outside, values.size() - 1) * std::sqrt(squares / (count - 1.0) / count);
}

}  // namespace spillway::diff
