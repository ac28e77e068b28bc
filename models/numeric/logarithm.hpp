// Computes the natural logarithm, the same double on every machine and compiler.
//
// The C library selects an implementation by processor (with or without fused multiply-add), so its results differ
// between machines. This one uses additions, multiplications and one division in a fixed order.
//
//   natural_logarithm(2.0)  // 0.6931471805599453
//
// Domain: finite x > 0, subnormals excluded. Error: at most 1 unit in the last place (tests/models/numeric). Has a
// single branch; costs about as much as the C library's.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace spillway::numeric {

[[nodiscard, gnu::always_inline]] inline double natural_logarithm(double x) noexcept {
  // x = 2^exponent * mantissa, mantissa within [sqrt(1/2), sqrt(2)), so that the series below converges fast around 1.
  constexpr std::uint64_t square_root_of_half = 0x3FE6A09E667F3BCDULL;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t offset = bits - square_root_of_half;
  // The biased exponent, placed after the leading bit of 2^52: gives a double without a conversion instruction, which
  // not every processor has for several numbers at a time.
  constexpr std::uint64_t bias = 1023;
  constexpr double two_to_52_and_bias = 0x1p52 + 1023.0;
  const std::uint64_t biased = (offset + (bias << 52)) >> 52;
  const double exponent = std::bit_cast<double>(biased | 0x4330000000000000ULL) - two_to_52_and_bias;
  const auto mantissa = std::bit_cast<double>(bits - (offset & 0xFFF0000000000000ULL));

  // log(m) = 2 atanh(f / (2 + f)) with f = m - 1; the odd series in s = f / (2 + f), |s| < 0.1716. Writing it as
  // f - s * (f - tail) keeps the leading term exact.
  const double f = mantissa - 1.0;
  const double s = f / (2.0 + f);
  const double z = s * s;
  double tail = 2.0 / 23.0;
  tail = tail * z + 2.0 / 21.0;
  tail = tail * z + 2.0 / 19.0;
  tail = tail * z + 2.0 / 17.0;
  tail = tail * z + 2.0 / 15.0;
  tail = tail * z + 2.0 / 13.0;
  tail = tail * z + 2.0 / 11.0;
  tail = tail * z + 2.0 / 9.0;
  tail = tail * z + 2.0 / 7.0;
  tail = tail * z + 2.0 / 5.0;
  tail = tail * z + 2.0 / 3.0;
  tail = tail * z;

  // log(2) in two parts; the first has so few digits that its product with the exponent is exact.
  constexpr double log_2_high = 0x1.62E42FEEp-1;
  constexpr double log_2_low = 0x1.A39EF35793C76p-33;
  return exponent * log_2_high - ((s * (f - tail) - exponent * log_2_low) - f);
}

// Replaces `count` numbers by their logarithms, several at a time if the processor can.
void natural_logarithms(double* values, std::size_t count) noexcept;

}  // namespace spillway::numeric
