#include "models/health/outlier_monitor.hpp"

#include <cmath>

namespace spillway::health {

namespace {

constexpr std::uint32_t ok = 200;
constexpr std::uint32_t internal_server_error = 500;
constexpr std::uint32_t bad_gateway = 502;
constexpr std::uint32_t service_unavailable = 503;
constexpr std::uint32_t gateway_timeout = 504;

}  // namespace

std::optional<std::uint32_t> status_of(OutlierResult result) noexcept {
  switch (result) {
    case OutlierResult::ext_origin_request_success:
    case OutlierResult::local_origin_connect_success_final:
      return ok;
    case OutlierResult::local_origin_timeout:
      return gateway_timeout;
    case OutlierResult::local_origin_connect_failed:
      return service_unavailable;
    case OutlierResult::ext_origin_request_failed:
      return internal_server_error;
    case OutlierResult::local_origin_connect_success:
      break;
  }
  return std::nullopt;
}

FiredDetections LocalOriginCounters::report(const config::OutlierDetection& config, bool connected) noexcept {
  FiredDetections fired;
  ++total;
  success += connected ? 1 : 0;
  if (connected) {
    consecutive_failure = 0;
  } else if (++consecutive_failure == config.consecutive_local_origin_failure) {
    fired.add(Detection::consecutive_local_origin_failure);
  }
  return fired;
}

FiredDetections OutlierCounters::report_status(const config::OutlierDetection& config, std::uint32_t status) noexcept {
  FiredDetections fired;
  const bool failed = status >= 500 && status < 600;
  ++total;
  success += failed ? 0 : 1;
  if (!failed) {
    consecutive_5xx = 0;
    consecutive_gateway_failure = 0;
    return fired;
  }
  if (status >= bad_gateway && status <= gateway_timeout) {
    if (++consecutive_gateway_failure == config.consecutive_gateway_failure) {
      fired.add(Detection::consecutive_gateway_failure);
    }
  } else {
    consecutive_gateway_failure = 0;
  }
  if (++consecutive_5xx == config.consecutive_5xx) {
    fired.add(Detection::consecutive_5xx);
  }
  return fired;
}

SuccessRateOutliers success_rate_outliers(std::span<const double> success_rates, double stdev_factor) {
  SuccessRateOutliers result;
  if (success_rates.empty()) {
    return result;
  }
  const auto count = static_cast<double>(success_rates.size());
  double sum = 0.0;
  for (const double rate : success_rates) {
    sum += rate;
  }
  result.mean = sum / count;
  double variance = 0.0;
  for (const double rate : success_rates) {
    variance += (rate - result.mean) * (rate - result.mean);
  }
  variance /= count;
  result.threshold = result.mean - stdev_factor * std::sqrt(variance);
  for (std::size_t position = 0; position < success_rates.size(); ++position) {
    if (success_rates[position] < result.threshold) {
      result.positions.push_back(position);
    }
  }
  return result;
}

}  // namespace spillway::health
