// Raises a positive number to a power, the same double on every machine and compiler.
//
// The C library selects its pow by processor, so its results differ between machines. This one computes with pairs of
// doubles, about 100 bits, and rounds once. The result is the double nearest to the true value, except with odds of one
// in 2^40. glibc's pow stays within 0.52 units in the last place, so both agree unless the true value lies almost
// halfway between two doubles.
//
//   power(0.9, 1.0 / 1.5)  // 0.9321697517861577
//
// Domain: base finite and not subnormal, above 0, or 0 with an exponent above 0; exponent finite. Results beyond the
// range of doubles are infinity or 0. Constant time, under a microsecond.
#pragma once

namespace spillway::numeric {

[[nodiscard]] double power(double base, double exponent) noexcept;

}  // namespace spillway::numeric
