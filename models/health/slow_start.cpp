#include "models/health/slow_start.hpp"

#include <algorithm>
#include <cstddef>

#include "models/numeric/power.hpp"

namespace spillway::health {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

namespace {

milliseconds whole_milliseconds(nanoseconds time) {
  return std::chrono::duration_cast<milliseconds>(time);
}

}  // namespace

double slow_start_factor(const config::SlowStartConfig& config, nanoseconds elapsed) noexcept {
  const milliseconds window = whole_milliseconds(config.slow_start_window);
  const milliseconds healthy_for = whole_milliseconds(elapsed);
  if (healthy_for >= window) {
    return 1.0;
  }
  const double time_factor =
      static_cast<double>(std::max<std::int64_t>(1, healthy_for.count())) / static_cast<double>(window.count());
  const bool linear = !(config.aggression > 0.0) || config.aggression == 1.0 || time_factor == 1.0;
  const double factor = linear ? time_factor : numeric::power(time_factor, 1.0 / config.aggression);
  return std::max(factor, config.min_weight_percent.value / 100.0);
}

void SlowStart::refresh(const config::SlowStartConfig& config, std::span<const SlowStartHost> hosts,
                        const HostTimes& times) {
  const milliseconds window = whole_milliseconds(config.slow_start_window);
  first_seen_.resize(std::max(first_seen_.size(), hosts.size()), never);
  started_.assign(first_seen_.size(), never);
  for (std::size_t host = 0; host < first_seen_.size(); ++host) {
    const SlowStartHost state = host < hosts.size() ? hosts[host] : SlowStartHost::unlisted;
    if (state == SlowStartHost::unlisted) {
      first_seen_[host] = never;
    }
    if (times.from_addition && state == SlowStartHost::unhealthy && first_seen_[host] == never) {
      first_seen_[host] = times.settled ? times.now - window : times.now;
    }
    if (state != SlowStartHost::healthy) {
      continue;
    }
    const nanoseconds passed =
        !times.from_addition && host < times.last_hc_pass.size() ? times.last_hc_pass[host] : never;
    if (passed == never && first_seen_[host] == never) {
      first_seen_[host] = times.settled ? times.now - window : times.now;
    }
    started_[host] = passed == never ? first_seen_[host] : passed;
    if (started_[host] > latest_ && whole_milliseconds(times.now - started_[host]) <= window) {
      latest_ = started_[host];
    }
  }
}

double SlowStart::weight(const config::SlowStartConfig& config, config::HostIndex host, double weight,
                         nanoseconds now) const noexcept {
  const nanoseconds started = host.value < started_.size() ? started_[host.value] : never;
  return started == never ? weight : weight * slow_start_factor(config, now - started);
}

}  // namespace spillway::health
