// Computes e to the power of x, the same double on every machine and compiler.
//
// The C library selects an implementation by processor, so its results differ between machines. This one uses additions
// and multiplications in a fixed order.
//
//   exponential(1.0)  // 2.718281828459045
//
// Domain: finite x. Below -708 the result is 0, above 709 it is infinity. Error: at most 1 unit in the last place
// (tests/models/numeric). Costs about as much as the C library's; power.hpp is slower and rounds better.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace spillway::numeric {

[[nodiscard]] inline double exponential(double x) noexcept {
  if (x > 709.0) {
    return std::numeric_limits<double>::infinity();
  }
  if (x < -708.0) {
    return 0.0;
  }
  // x = k log(2) + rest with |rest| <= log(2) / 2. Adding 1.5 * 2^52 leaves k, rounded to nearest, in the low bits.
  constexpr double one_over_log_2 = 0x1.71547652b82fep+0;
  constexpr double rounder = 0x1.8p52;
  const double shifted = x * one_over_log_2 + rounder;
  const double k = shifted - rounder;
  // log(2) in two parts; the first has so few digits that its product with k is exact.
  constexpr double log_2_high = 0x1.62E42FEEp-1;
  constexpr double log_2_low = 0x1.A39EF35793C76p-33;
  const double high = x - k * log_2_high;
  const double low = k * log_2_low;
  const double rest = high - low;

  // e^rest by its series. The terms from the square on are small, and so are their errors.
  double tail = 1.0 / 6227020800.0;
  tail = tail * rest + 1.0 / 479001600.0;
  tail = tail * rest + 1.0 / 39916800.0;
  tail = tail * rest + 1.0 / 3628800.0;
  tail = tail * rest + 1.0 / 362880.0;
  tail = tail * rest + 1.0 / 40320.0;
  tail = tail * rest + 1.0 / 5040.0;
  tail = tail * rest + 1.0 / 720.0;
  tail = tail * rest + 1.0 / 120.0;
  tail = tail * rest + 1.0 / 24.0;
  tail = tail * rest + 1.0 / 6.0;
  tail = tail * rest + 0.5;
  // The last sum restores the rounding error of `rest`.
  const double lost = (high - rest) - low;
  const double mantissa = 1.0 + (rest + (rest * rest * tail + lost));
  const auto bits = std::bit_cast<std::uint64_t>(mantissa);
  return std::bit_cast<double>(bits + (std::bit_cast<std::uint64_t>(shifted) << 52U));
}

}  // namespace spillway::numeric
