#include "models/kuma/overprovisioning_factor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/kuma/decimal.hpp"

namespace spillway::kuma {

namespace {

// Converts a double to 32 bits through 64 bits, as Go does on x86-64: a value out of range gives the lowest 64-bit
// integer.
std::uint32_t truncate(double value) {
  constexpr double limit = 9223372036854775808.0;  // 2^63
  if (!(value > -limit && value < limit)) {
    return 0;
  }
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
}

// Returns the smallest factor f with f * percentage >= 10000. A quotient that misses an integer only by rounding counts
// as that integer.
std::uint32_t exact_inverse(double percentage) {
  constexpr double rounding = 1e-12;
  const double quotient = 10000.0 / percentage;
  const double nearest = std::round(quotient);
  const double factor = std::abs(quotient - nearest) <= nearest * rounding ? nearest : std::ceil(quotient);
  return static_cast<std::uint32_t>(
      std::clamp(factor, 1.0, static_cast<double>(std::numeric_limits<std::uint32_t>::max())));
}

}  // namespace

std::uint32_t overprovisioning_factor(const IntOrString& percentage, config::KumaProfile profile) {
  const auto number = parse_decimal(percentage);
  if (!number || number->sign == 0) {
    return default_overprovisioning_factor;
  }
  if (profile == config::KumaProfile::document && number->sign > 0) {
    return exact_inverse(number->value);
  }
  return truncate(100.0 / number->value) * 100U;
}

std::uint32_t overprovisioning_factor(const Conf& conf, config::KumaProfile profile) {
  if (!conf.localityAwareness || !conf.localityAwareness->crossZone) {
    return default_overprovisioning_factor;
  }
  const auto& threshold = conf.localityAwareness->crossZone->failoverThreshold;
  return threshold && threshold->percentage ? overprovisioning_factor(*threshold->percentage, profile)
                                            : default_overprovisioning_factor;
}

}  // namespace spillway::kuma
