#include "sim/diff/paired.hpp"

#include <cmath>

namespace spillway::diff {
namespace {

// Uses only operations that IEEE 754 rounds the same everywhere: halves the argument until the series is short.
double arc_tangent(double x) {
  constexpr int halvings = 5;
  constexpr int terms = 12;
  for (int step = 0; step < halvings; ++step) {
    x = x / (1.0 + std::sqrt(1.0 + x * x));
  }
  double power = x;
  double sum = 0.0;
  for (int term = 0; term < terms; ++term) {
    sum += (term % 2 == 0 ? power : -power) / (2.0 * term + 1.0);
    power *= x * x;
  }
  return sum * static_cast<double>(1 << halvings);
}

// Returns the part of Student's distribution beyond +-t.
double beyond(double t, std::size_t degrees_of_freedom) {
  constexpr double pi = 3.14159265358979323846;
  const auto v = static_cast<double>(degrees_of_freedom);
  const double cosine_squared = v / (v + t * t);
  const double sine = t / std::sqrt(v + t * t);
  const bool odd = degrees_of_freedom % 2 == 1;
  double term = odd ? std::sqrt(cosine_squared) : 1.0;
  double sum = 0.0;
  for (std::size_t k = odd ? 1 : 0; k + 1 < degrees_of_freedom; k += 2) {
    sum += term;
    const auto next = static_cast<double>(k);
    term *= cosine_squared * (next + 1.0) / (next + 2.0);
  }
  const double within = odd ? 2.0 / pi * (arc_tangent(t / std::sqrt(v)) + sine * sum) : sine * sum;
  return 1.0 - within;
}

}  // namespace

double mean(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) {
    sum += value - values.front();
  }
  return values.front() + sum / static_cast<double>(values.size());
}

double student_quantile(double outside, std::size_t degrees_of_freedom) {
  double low = 0.0;
  double high = 1.0;
  while (beyond(high, degrees_of_freedom) > outside) {
    high *= 2.0;
  }
  constexpr int steps = 100;
  for (int step = 0; step < steps; ++step) {
    const double middle = (low + high) / 2.0;
    (beyond(middle, degrees_of_freedom) > outside ? low : high) = middle;
  }
  return high;
}

double half_width(std::span<const double> values, double outside) {
  const double middle = mean(values);
  double squares = 0.0;
  for (const double value : values) {
    squares += (value - middle) * (value - middle);
  }
  const auto count = static_cast<double>(values.size());
  return student_quantile(outside, values.size() - 1) * std::sqrt(squares / (count - 1.0) / count);
}

}  // namespace spillway::diff
