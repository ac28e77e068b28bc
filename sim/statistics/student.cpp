#include "sim/statistics/student.hpp"

#include <array>
#include <cmath>

namespace spillway::statistics {
namespace {

// Student's t: the values exceeded with probability 2.5 %, for 1 to 30 degrees of freedom.
constexpr std::array<double, 30> quantiles_95{
    12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139,
    2.200985,  2.178813, 2.160369, 2.144787, 2.131450, 2.119905, 2.109816, 2.100922, 2.093024, 2.085963,
    2.079614,  2.073873, 2.068658, 2.063899, 2.059539, 2.055529, 2.051831, 2.048407, 2.045230, 2.042272};

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

double student_quantile_95(std::size_t degrees_of_freedom) {
  if (degrees_of_freedom <= quantiles_95.size()) {
    return quantiles_95[degrees_of_freedom - 1];
  }
  constexpr double z = 1.959963984540054;
  constexpr double z3 = z * z * z;
  constexpr double z5 = z3 * z * z;
  constexpr double z7 = z5 * z * z;
  const auto v = static_cast<double>(degrees_of_freedom);
  return z + (z3 + z) / (4.0 * v) + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * v * v) +
         (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * v * v * v);
}

}  // namespace spillway::statistics
