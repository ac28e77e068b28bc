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
  // Always reported as changed: the balancer must learn that the host is no longer excluded.
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

std::optional<std::chrono::nanoseconds> fixed_delay_of_pass(const config::HealthCheck& config, bool traffic) {
  bool drawn = false;
  const auto draw = [&drawn] {
    drawn = true;
    return std::uint64_t{0};
  };
  const CheckSession passed(config, {});
  const auto delay = interval_with_jitter(passed.base_interval(true, Transition::unchanged, traffic),
                                          config.interval_jitter_percent, config.interval_jitter, {}, draw);
  return drawn ? std::nullopt : std::optional<std::chrono::nanoseconds>(delay);
}

HostChecks::HostChecks(std::span<const config::HealthCheck> health_checks, HostFlags flags)
    : only_(health_checks.size() == 1 ? CheckSession(health_checks.front(), flags) : CheckSession(flags)) {
  if (health_checks.size() < 2) {
    return;
  }
  several_ = std::make_unique<Several>(Several{.flags = flags});
  for (const config::HealthCheck& check : health_checks) {
    several_->sessions.emplace_back(check, flags);
  }
}

CheckStep HostChecks::finish(std::size_t check, const CheckResult& result, std::chrono::nanoseconds now) noexcept {
  CheckStep step{.healthy = !result.failure};
  if (several_ == nullptr) {
    step.own = step.transition = only_.finish(result, now);
    return step;
  }
  CheckSession& session = several_->sessions[check];
  step.own = session.finish(result, now);
  several_->last_hc_pass = std::max(several_->last_hc_pass, session.last_hc_pass());
  if (initialized()) {
    step.transition = several_->take_flags();
  }
  return step;
}

CheckStep HostChecks::fail_immediately(std::chrono::nanoseconds now) noexcept {
  // With several checks, Envoy's host reports to the one that was started last.
  return finish(size() - 1, {.failure = CheckFailure::passive, .immediate_fail = true}, now);
}

bool HostChecks::initialized() const noexcept {
  return several_ == nullptr ? !only_.exists() || only_.has_result()
                             : std::all_of(several_->sessions.begin(), several_->sessions.end(),
                                           [](const CheckSession& session) { return session.has_result(); });
}

Transition HostChecks::Several::take_flags() noexcept {
  const HostFlags before = flags;
  for (const HostFlag flag : checked_flags) {
    set_to(flags, flag, std::any_of(sessions.begin(), sessions.end(), [flag](const CheckSession& session) {
             return session.flags().has(flag);
           }));
  }
  const auto differs = [&](HostFlag flag) { return before.has(flag) != flags.has(flag); };
  const bool changed = differs(HostFlag::failed_active_hc) || differs(HostFlag::degraded_active_hc) ||
                       differs(HostFlag::pending_active_hc);
  return changed ? Transition::changed : Transition::unchanged;
}

}  // namespace spillway::health
