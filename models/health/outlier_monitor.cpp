#include "models/health/outlier_monitor.hpp"

#include <cmath>

namespace spillway::health {

namespace {

constexpr std::uint32_t ok = 200;
constexpr std::uint32_t internal_server_error = 500;
constexpr std::uint32_t bad_gateway = 502;
constexpr std::uint32_t service_unavailable = 503;
constexpr std::uint32_t gateway_timeout = 504;

// The status that stands for a result without one, where origins are not split.
std::optional<std::uint32_t> status_of(OutlierResult result) {
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

FiredDetections report_local(OutlierMonitor& monitor, const config::OutlierDetection& config, bool success) {
  FiredDetections fired;
  monitor.of(Origin::local).count(success);
  if (success) {
    monitor.consecutive_local_origin_failure = 0;
  } else if (++monitor.consecutive_local_origin_failure == config.consecutive_local_origin_failure) {
    fired.add(Detection::consecutive_local_origin_failure);
  }
  return fired;
}

}  // namespace

FiredDetections OutlierMonitor::report(const config::OutlierDetection& config, OutlierResult result,
                                       std::optional<std::uint32_t> status) noexcept {
  if (!config.split_external_local_origin_errors) {
    const std::optional<std::uint32_t> counted = status ? status : status_of(result);
    return counted ? report_status(config, *counted) : FiredDetections{};
  }
  switch (result) {
    case OutlierResult::local_origin_connect_success:
    case OutlierResult::local_origin_connect_success_final:
      return report_local(*this, config, true);
    case OutlierResult::local_origin_timeout:
    case OutlierResult::local_origin_connect_failed:
      return report_local(*this, config, false);
    case OutlierResult::ext_origin_request_failed:
      return report_status(config, status.value_or(service_unavailable));
    case OutlierResult::ext_origin_request_success:
      return report_status(config, status.value_or(ok));
  }
  return {};
}

FiredDetections OutlierMonitor::report_status(const config::OutlierDetection& config, std::uint32_t status) noexcept {
  FiredDetections fired;
  const bool failed = status >= 500 && status < 600;
  of(Origin::external).count(!failed);
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

void OutlierMonitor::reset_counter(Detection detection) noexcept {
  if (detection == Detection::consecutive_5xx) {
    consecutive_5xx = 0;
  } else if (detection == Detection::consecutive_gateway_failure) {
    consecutive_gateway_failure = 0;
  } else if (detection == Detection::consecutive_local_origin_failure) {
    consecutive_local_origin_failure = 0;
  }
}

void OutlierMonitor::uneject(std::chrono::nanoseconds now) noexcept {
  ejected = false;
  consecutive_5xx = 0;
  consecutive_gateway_failure = 0;
  consecutive_local_origin_failure = 0;
  last_unejection = now;
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
