#include "models/numeric/power.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "models/numeric/logarithm.hpp"

namespace spillway::numeric {

namespace {

// A number as high + low, where high is the sum rounded to a double.
struct Pair {
  double high = 0.0;
  double low = 0.0;
};

// Returns left + right without error, for any operands.
Pair exact_sum(double left, double right) {
  const double sum = left + right;
  const double part = sum - left;
  return {sum, (left - (sum - part)) + (right - part)};
}

// Returns large + small without error. Precondition: |large| >= |small|.
Pair normalized(double large, double small) {
  const double sum = large + small;
  return {sum, small - (sum - large)};
}

// Splits a value into two halves of 26 bits, so that products of halves are exact (Dekker).
Pair halves(double value) {
  constexpr double splitter = 134217729.0;  // 2^27 + 1
  const double scaled = splitter * value;
  const double high = scaled - (scaled - value);
  return {high, value - high};
}

// Returns left * right without error.
Pair exact_product(double left, double right) {
  const double product = left * right;
  const Pair l = halves(left);
  const Pair r = halves(right);
  return {product, ((l.high * r.high - product) + l.high * r.low + l.low * r.high) + l.low * r.low};
}

Pair operator+(Pair left, Pair right) {
  const Pair high = exact_sum(left.high, right.high);
  const Pair low = exact_sum(left.low, right.low);
  const Pair middle = normalized(high.high, high.low + low.high);
  return normalized(middle.high, middle.low + low.low);
}

Pair operator*(Pair left, Pair right) {
  const Pair product = exact_product(left.high, right.high);
  return normalized(product.high, product.low + (left.high * right.low + left.low * right.high));
}

Pair operator*(Pair left, double right) {
  const Pair product = exact_product(left.high, right);
  return normalized(product.high, product.low + left.low * right);
}

Pair operator/(Pair left, double right) {
  const double quotient = left.high / right;
  const Pair back = exact_product(quotient, right);
  return normalized(quotient, ((left.high - back.high) - back.low + left.low) / right);
}

Pair negated(Pair value) {
  return {-value.high, -value.low};
}

// Returns number * log(2). The first two of the three parts of log(2) have 42 bits, so their products are exact.
Pair logarithms_of_two(double number) {
  constexpr double first = 0x1.62e42fefa38p-1;
  constexpr double second = 0x1.ef35793c76p-45;
  constexpr double third = 0x1.cc01f97b57a08p-87;
  return exact_sum(number * first, number * second) + Pair{number * third, 0.0};
}

// Returns e^x - 1. Precondition: |x| < 0.36. Sums the series at x / 256, then applies (1 + e)^2 - 1 = 2 e + e^2 eight
// times.
Pair exponential_minus_one(Pair x) {
  constexpr int doublings = 8;
  constexpr int terms = 11;
  const Pair reduced = {std::ldexp(x.high, -doublings), std::ldexp(x.low, -doublings)};
  Pair series{1.0, 0.0};
  for (int term = terms; term >= 2; --term) {
    series = Pair{1.0, 0.0} + (series * reduced) / static_cast<double>(term);
  }
  Pair result = series * reduced;
  for (int doubling = 0; doubling < doublings; ++doubling) {
    result = Pair{2.0 * result.high, 2.0 * result.low} + result * result;
  }
  return result;
}

// Returns log(x) as a pair: the double logarithm l of the mantissa m, then one step of Newton's method in the pair's
// precision, log(m) = l + 2 (m - e^l) / (m + e^l). Its own error is the cube of l's.
Pair precise_logarithm(double x) {
  constexpr std::uint64_t square_root_of_half = 0x3FE6A09E667F3BCDULL;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t offset = bits - square_root_of_half;
  const auto exponent = static_cast<double>(static_cast<std::int64_t>(offset) >> 52);
  const auto mantissa = std::bit_cast<double>(bits - (offset & 0xFFF0000000000000ULL));

  const double estimate = natural_logarithm(mantissa);
  const Pair raised = exponential_minus_one({estimate, 0.0});
  const Pair miss = Pair{mantissa - 1.0, 0.0} + negated(raised);
  const double correction = 2.0 * miss.high / (mantissa + 1.0 + raised.high);
  return logarithms_of_two(exponent) + exact_sum(estimate, correction);
}

double exponential(Pair x) {
  constexpr double one_over_log_2 = 0x1.71547652b82fep+0;
  const double doublings = std::nearbyint(x.high * one_over_log_2);
  const Pair rest = exponential_minus_one(x + negated(logarithms_of_two(doublings)));
  const Pair result = Pair{1.0, 0.0} + rest;
  return std::ldexp(result.high, static_cast<int>(doublings));
}

}  // namespace

double power(double base, double exponent) noexcept {
  if (exponent == 0.0 || base == 1.0) {
    return 1.0;
  }
  if (base == 0.0) {
    return 0.0;
  }
  const Pair logarithm = precise_logarithm(base);
  const double size = logarithm.high * exponent;
  if (size > 710.0) {
    return std::numeric_limits<double>::infinity();
  }
  if (size < -746.0) {
    return 0.0;
  }
  return exponential(logarithm * exponent);
}

}  // namespace spillway::numeric
