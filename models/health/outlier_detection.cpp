#include "models/health/outlier_detection.hpp"

#include <algorithm>
#include <cstddef>

namespace spillway::health {

bool OutlierDetector::active_check_passed(config::HostIndex host, Nanoseconds now) noexcept {
  OutlierMonitor& monitor = hosts_[host.value];
  if (!monitor.ejected || !config_.successful_active_health_check_uneject_host) {
    return false;
  }
  monitor.uneject(now);
  --ejected_hosts_;
  return true;
}

void OutlierDetector::leave(config::HostIndex host) {
  OutlierMonitor& monitor = hosts_[host.value];
  if (!monitor.member) {
    return;
  }
  ejected_hosts_ -= monitor.ejected ? 1 : 0;
  monitor = {};
  monitor.member = false;
  --members_;
}

void OutlierDetector::join(config::HostIndex host) {
  while (hosts_.size() <= host.value) {
    hosts_.emplace_back().member = false;
  }
  if (!hosts_[host.value].member) {
    hosts_[host.value].member = true;
    ++members_;
  }
}

bool OutlierDetector::fits_under_cap() const noexcept {
  const auto most = static_cast<double>(std::min(config_.max_ejection_percent, 100U));
  if (config_.always_eject_one_host && ejected_hosts_ == 0) {
    return true;
  }
  if (profile_ == config::EnvoyProfile::seed) {
    return 100.0 * ejected_hosts_ / members_ < most;
  }
  return 100.0 * (ejected_hosts_ + 1) / members_ <= most;
}

std::uint32_t OutlierDetector::enforcing(Detection detection) const noexcept {
  switch (detection) {
    case Detection::consecutive_5xx:
      return config_.enforcing_consecutive_5xx;
    case Detection::consecutive_gateway_failure:
      return config_.enforcing_consecutive_gateway_failure;
    case Detection::success_rate:
      return config_.enforcing_success_rate;
    case Detection::consecutive_local_origin_failure:
      return config_.enforcing_consecutive_local_origin_failure;
    case Detection::success_rate_local_origin:
      return config_.enforcing_local_origin_success_rate;
    case Detection::failure_percentage:
      return config_.enforcing_failure_percentage;
    case Detection::failure_percentage_local_origin:
      return config_.enforcing_failure_percentage_local_origin;
  }
  return 0;
}

Nanoseconds OutlierDetector::sentence(const OutlierMonitor& monitor) const noexcept {
  const Nanoseconds time = config_.base_ejection_time * monitor.eject_time_backoff;
  const bool limited = profile_ != config::EnvoyProfile::seed;
  return (limited ? std::min(time, effective_max_ejection_time(config_)) : time) + monitor.jitter;
}

void OutlierDetector::note_ejection(OutlierMonitor& monitor, Nanoseconds now, std::uint64_t jitter_draw) noexcept {
  monitor.ejected = true;
  monitor.last_ejection = now;
  monitor.jitter = ejection_jitter(config_.max_ejection_time_jitter, jitter_draw);
  ++ejected_hosts_;
  if (profile_ == config::EnvoyProfile::seed || config_.base_ejection_time * monitor.eject_time_backoff <
                                                    effective_max_ejection_time(config_) + config_.base_ejection_time) {
    ++monitor.eject_time_backoff;
  }
}

std::vector<OutlierDetector::Found> OutlierDetector::judge(Origin origin) {
  judged_[static_cast<std::size_t>(origin)] = {};
  if (members_ < config_.success_rate_minimum_hosts && members_ < config_.failure_percentage_minimum_hosts) {
    return {};
  }
  std::vector<double> rates;                  // of the hosts with enough requests for a success rate
  std::vector<config::HostIndex> rate_hosts;  // and who they are
  std::vector<config::HostIndex> percentage_hosts;
  for (std::uint32_t index = 0; index < hosts_.size(); ++index) {
    SuccessRateMonitor& monitor = hosts_[index].of(origin);
    const RequestBucket& bucket = monitor.finished;
    if (hosts_[index].ejected || bucket.total == 0) {
      continue;
    }
    const double rate = static_cast<double>(bucket.success) * 100.0 / static_cast<double>(bucket.total);
    if (bucket.total >= std::min(config_.success_rate_request_volume, config_.failure_percentage_request_volume)) {
      monitor.shown_rate = rate;
    }
    if (bucket.total >= config_.success_rate_request_volume) {
      rates.push_back(rate);
      rate_hosts.push_back({index});
    }
    if (bucket.total >= config_.failure_percentage_request_volume) {
      percentage_hosts.push_back({index});
    }
  }

  const bool external = origin == Origin::external;
  std::vector<Found> found;
  if (!rates.empty() && rates.size() >= config_.success_rate_minimum_hosts) {
    SuccessRateOutliers& outliers = judged_[static_cast<std::size_t>(origin)];
    outliers = success_rate_outliers(rates, static_cast<double>(config_.success_rate_stdev_factor) / 1000.0);
    for (const std::size_t position : outliers.positions) {
      found.push_back(
          {rate_hosts[position], external ? Detection::success_rate : Detection::success_rate_local_origin});
    }
  }
  if (!percentage_hosts.empty() && percentage_hosts.size() >= config_.failure_percentage_minimum_hosts) {
    for (const config::HostIndex host : percentage_hosts) {
      if (100.0 - hosts_[host.value].of(origin).shown_rate >= config_.failure_percentage_threshold) {
        found.push_back({host, external ? Detection::failure_percentage : Detection::failure_percentage_local_origin});
      }
    }
  }
  return found;
}

void OutlierDetector::lower_backoffs(Nanoseconds now) noexcept {
  if (profile_ == config::EnvoyProfile::seed) {
    return;
  }
  for (OutlierMonitor& monitor : hosts_) {
    const bool rested = monitor.last_unejection && now - *monitor.last_unejection >= config_.interval;
    if (!monitor.ejected && rested && monitor.eject_time_backoff > 0) {
      --monitor.eject_time_backoff;
    }
  }
}

}  // namespace spillway::health
