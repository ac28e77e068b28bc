#include "models/health/active_check.hpp"

#include <algorithm>
#include <array>

namespace spillway::health {

using envoy::HostFlag;
using envoy::HostFlags;

namespace {

constexpr std::array checked_flags = {HostFlag::failed_active_hc, HostFlag::degraded_active_hc,
                                      HostFlag::pending_active_hc, HostFlag::active_hc_timeout,
                                      HostFlag::excluded_via_immediate_hc_fail};

void set_to(HostFlags& flags, HostFlag flag, bool value) {
  if (value) {
    flags.set(flag);
  } else {
    flags.clear(flag);
  }
}

}  // namespace

CheckSession::CheckSession(const config::HealthCheck& config, HostFlags flags) : config_(&config), flags_(flags) {}

Transition CheckSession::finish(const CheckResult& result, std::chrono::nanoseconds now) noexcept {
  if (result.immediate_fail) {
    flags_.set(HostFlag::excluded_via_immediate_hc_fail);
  }
  const Transition transition = result.failure ? fail(result) : succeed(result.degraded, now);
  first_check_ = false;
  return transition;
}

Transition CheckSession::succeed(bool degraded, std::chrono::nanoseconds now) noexcept {
  num_unhealthy_ = 0;
  Transition transition = Transition::unchanged;
  if (flags_.has(HostFlag::failed_active_hc)) {
    if (first_check_ || ++num_healthy_ == config_->healthy_threshold) {
      flags_.clear(HostFlag::active_hc_timeout);
      flags_.clear(HostFlag::excluded_via_immediate_hc_fail);
      flags_.clear(HostFlag::failed_active_hc);
      transition = Transition::changed;
    } else {
      transition = Transition::change_pending;
    }
    last_hc_pass_ = now;
  }
  transition = clear_pending(transition);
  if (degraded != flags_.has(HostFlag::degraded_active_hc)) {
    set_to(flags_, HostFlag::degraded_active_hc, degraded);
    if (transition == Transition::unchanged) {
      transition = Transition::changed;
    }
  }
  return transition;
}

Transition CheckSession::fail(const CheckResult& result) noexcept {
  num_healthy_ = 0;
  Transition transition = Transition::unchanged;
  const bool timeout = result.failure == CheckFailure::network_timeout;
  const bool counts_up = timeout || result.failure == CheckFailure::network || result.retriable;
  if (!flags_.has(HostFlag::failed_active_hc)) {
    if (!counts_up || ++num_unhealthy_ == config_->unhealthy_threshold) {
      flags_.set(HostFlag::failed_active_hc);
      transition = Transition::changed;
    } else {
      transition = Transition::change_pending;
    }
  }
  set_to(flags_, HostFlag::active_hc_timeout, timeout && flags_.has(HostFlag::failed_active_hc));
  return clear_pending(transition);
}

Transition CheckSession::clear_pending(Transition transition) noexcept {
  if (!flags_.has(HostFlag::pending_active_hc)) {
    return transition;
  }
  // Changed whatever the result: the balancer has to learn that the host is no longer excluded.
  flags_.clear(HostFlag::pending_active_hc);
  return Transition::changed;
}

std::chrono::nanoseconds CheckSession::base_interval(bool healthy, Transition transition, bool traffic) const noexcept {
  const config::CheckIntervals intervals(*config_);
  const bool pending = transition == Transition::change_pending;
  if (!traffic) {
    return healthy && !pending ? intervals.no_traffic_healthy_interval : intervals.no_traffic_interval;
  }
  if (healthy) {
    return pending ? intervals.healthy_edge_interval : intervals.interval;
  }
  return pending ? intervals.unhealthy_edge_interval : intervals.unhealthy_interval;
}

HostChecks::HostChecks(std::span<const config::HealthCheck> health_checks, HostFlags flags) : flags_(flags) {
  sessions_.reserve(health_checks.size());
  for (const config::HealthCheck& check : health_checks) {
    sessions_.emplace_back(check, flags);
  }
}

CheckStep HostChecks::finish(std::size_t check, const CheckResult& result, std::chrono::nanoseconds now) noexcept {
  CheckSession& session = sessions_[check];
  CheckStep step{.healthy = !result.failure, .own = session.finish(result, now)};
  last_hc_pass_ = std::max(last_hc_pass_, session.last_hc_pass());
  if (sessions_.size() == 1) {
    flags_ = session.flags();
    step.transition = step.own;
  } else if (initialized()) {
    step.transition = take_flags();
  }
  return step;
}

CheckStep HostChecks::fail_immediately(std::chrono::nanoseconds now) noexcept {
  // With several checks Envoy's host reports to the one that was started last.
  return finish(sessions_.size() - 1, {.failure = CheckFailure::passive, .immediate_fail = true}, now);
}

bool HostChecks::initialized() const noexcept {
  return std::all_of(sessions_.begin(), sessions_.end(),
                     [](const CheckSession& session) { return session.has_result(); });
}

Transition HostChecks::take_flags() noexcept {
  const HostFlags before = flags_;
  for (const HostFlag flag : checked_flags) {
    set_to(flags_, flag, std::any_of(sessions_.begin(), sessions_.end(), [flag](const CheckSession& session) {
             return session.flags().has(flag);
           }));
  }
  const auto differs = [&](HostFlag flag) { return before.has(flag) != flags_.has(flag); };
  const bool changed = differs(HostFlag::failed_active_hc) || differs(HostFlag::degraded_active_hc) ||
                       differs(HostFlag::pending_active_hc);
  return changed ? Transition::changed : Transition::unchanged;
}

}  // namespace spillway::health
