#include "models/health/outlier_detection.hpp"

#include <algorithm>
#include <cstddef>

namespace spillway::health {

FiredDetections OutlierDetector::report(config::HostIndex host, OutlierResult result,
                                        std::optional<std::uint32_t> status) {
  if (!config_.split_external_local_origin_errors) {
    const std::optional<std::uint32_t> counted = status ? status : status_of(result);
    return counted ? report(host, *counted) : FiredDetections{};
  }
  constexpr std::uint32_t ok = 200;
  constexpr std::uint32_t service_unavailable = 503;
  switch (result) {
    case OutlierResult::local_origin_connect_success:
    case OutlierResult::local_origin_connect_success_final:
      return local_[host].report(config_, true);
    case OutlierResult::local_origin_timeout:
    case OutlierResult::local_origin_connect_failed:
      return local_[host].report(config_, false);
    case OutlierResult::ext_origin_request_failed:
      return report(host, status.value_or(service_unavailable));
    case OutlierResult::ext_origin_request_success:
      return report(host, status.value_or(ok));
  }
  return {};
}

void OutlierDetector::reset_counter(config::HostIndex host, Detection detection) {
  if (detection == Detection::consecutive_5xx) {
    external_[host].consecutive_5xx = 0;
  } else if (detection == Detection::consecutive_gateway_failure) {
    external_[host].consecutive_gateway_failure = 0;
  } else if (detection == Detection::consecutive_local_origin_failure) {
    local_[host].consecutive_failure = 0;
  }
}

void OutlierDetector::set_ejected(config::HostIndex host, bool ejected) {
  if (ejected_.empty() && !ejected) {
    return;
  }
  ejected_.resize(external_.size(), 0);
  ejected_[host.value] = ejected ? 1 : 0;
}

void OutlierDetector::uneject(config::HostIndex host, Ejections& of, Nanoseconds now) {
  set_ejected(host, false);
  --ejected_hosts_;
  external_[host].consecutive_5xx = 0;
  external_[host].consecutive_gateway_failure = 0;
  if (splits_origins()) {
    local_[host].consecutive_failure = 0;
  }
  of.last_unejection = now;
}

bool OutlierDetector::active_check_passed(config::HostIndex host, Nanoseconds now) {
  if (!ejected(host) || !config_.successful_active_health_check_uneject_host || config::before(profile_, 26)) {
    return false;
  }
  uneject(host, ejections_.at(host.value), now);
  return true;
}

void OutlierDetector::leave(config::HostIndex host) {
  if (!is_member(host)) {
    return;
  }
  ejected_hosts_ -= ejected(host) ? 1 : 0;
  external_[host] = {};
  if (splits_origins()) {
    local_[host] = {};
  }
  for (std::vector<double>& rates : shown_rates_) {
    if (!rates.empty()) {
      rates[host.value] = -1.0;
    }
  }
  ejections_.erase(host.value);
  set_ejected(host, false);
  absent_.resize(external_.size(), 0);
  absent_[host.value] = 1;
  --members_;
}

void OutlierDetector::join(config::HostIndex host) {
  if (external_.size() <= host.value) {
    const std::uint32_t hosts = host.value + 1;
    absent_.resize(external_.size(), 0);
    absent_.resize(hosts, 1);
    external_.resize(hosts);
    local_.resize(splits_origins() ? hosts : 0);
    ejected_.resize(ejected_.empty() ? 0 : hosts, 0);
    for (std::vector<double>& rates : shown_rates_) {
      rates.resize(rates.empty() ? 0 : hosts, -1.0);
    }
  }
  if (!is_member(host)) {
    absent_[host.value] = 0;
    ++members_;
  }
}

bool is_any_enforced(const config::OutlierDetection& config, std::uint32_t hosts) noexcept {
  const bool split = config.split_external_local_origin_errors;
  const bool in_a_row =
      (config.enforcing_consecutive_5xx > 0 && config.consecutive_5xx > 0) ||
      (config.enforcing_consecutive_gateway_failure > 0 && config.consecutive_gateway_failure > 0) ||
      (split && config.enforcing_consecutive_local_origin_failure > 0 && config.consecutive_local_origin_failure > 0);
  const bool by_success_rate =
      config.enforcing_success_rate > 0 || (split && config.enforcing_local_origin_success_rate > 0);
  const bool by_failure_percentage =
      config.enforcing_failure_percentage > 0 || (split && config.enforcing_failure_percentage_local_origin > 0);
  return in_a_row || (by_success_rate && hosts >= config.success_rate_minimum_hosts) ||
         (by_failure_percentage && hosts >= config.failure_percentage_minimum_hosts);
}

std::uint32_t most_ejected(const config::OutlierDetection& config, config::EnvoyProfile profile,
                           std::uint32_t hosts) noexcept {
  const std::uint64_t percent = std::min(config.max_ejection_percent, 100U);
  const std::uint64_t all = std::uint64_t{hosts} * percent;
  // Before 1.28 the cap is checked without the host about to be ejected.
  const std::uint64_t most = config::before(profile, 28) ? (all + 99) / 100 : all / 100;
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(config.always_eject_one_host ? std::max<std::uint64_t>(most, 1) : most, hosts));
}

bool OutlierDetector::fits_under_cap() const noexcept {
  const auto most = static_cast<double>(std::min(config_.max_ejection_percent, 100U));
  if (config_.always_eject_one_host && ejected_hosts_ == 0) {
    return true;
  }
  if (config::before(profile_, 28)) {
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

Nanoseconds OutlierDetector::sentence(const Ejections& of) const noexcept {
  const Nanoseconds time = config_.base_ejection_time * of.eject_time_backoff;
  const bool limited = profile_ != config::EnvoyProfile::seed;
  return (limited ? std::min(time, effective_max_ejection_time(config_)) : time) + of.jitter;
}

void OutlierDetector::note_ejection(config::HostIndex host, Nanoseconds now, std::uint64_t jitter_draw) {
  Ejections& of = ejections_[host.value];
  set_ejected(host, true);
  of.last_ejection = now;
  of.jitter = ejection_jitter(config_.max_ejection_time_jitter, jitter_draw);
  ++ejected_hosts_;
  if (profile_ == config::EnvoyProfile::seed || config_.base_ejection_time * of.eject_time_backoff <
                                                    effective_max_ejection_time(config_) + config_.base_ejection_time) {
    ++of.eject_time_backoff;
  }
}

std::vector<OutlierDetector::Found> OutlierDetector::judge(Origin origin) {
  judged_[static_cast<std::size_t>(origin)] = {};
  std::vector<double>& shown_rates = shown_rates_[static_cast<std::size_t>(origin)];
  shown_rates.clear();
  if (members_ < config_.success_rate_minimum_hosts && members_ < config_.failure_percentage_minimum_hosts) {
    return {};
  }
  std::vector<double> rates;                  // of the hosts with enough requests for a success rate
  std::vector<config::HostIndex> rate_hosts;  // the hosts of `rates`
  std::vector<config::HostIndex> percentage_hosts;
  const bool external = origin == Origin::external;
  const std::uint32_t hosts = external_.size();
  const auto judge_host = [&](std::uint32_t index, const auto& counters) {
    const std::uint32_t total = counters.total;
    if (ejected({index})) {
      return;
    }
    const double rate = static_cast<double>(counters.success) * 100.0 / static_cast<double>(total);
    if (total >= std::min(config_.success_rate_request_volume, config_.failure_percentage_request_volume)) {
      shown_rates.resize(hosts, -1.0);
      shown_rates[index] = rate;
    }
    if (total >= config_.success_rate_request_volume) {
      rates.push_back(rate);
      rate_hosts.push_back({index});
    }
    if (total >= config_.failure_percentage_request_volume) {
      percentage_hosts.push_back({index});
    }
  };
  if (external) {
    external_.for_each(judge_host);
  } else {
    local_.for_each(judge_host);
  }

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
      if (100.0 - shown_rates[host.value] >= config_.failure_percentage_threshold) {
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
  for (auto& [host, of] : ejections_) {
    const bool rested =
        config::before(profile_, 28) || (of.last_unejection && now - *of.last_unejection >= config_.interval);
    if (!ejected({host}) && rested && of.eject_time_backoff > 0) {
      --of.eject_time_backoff;
    }
  }
}

}  // namespace spillway::health
