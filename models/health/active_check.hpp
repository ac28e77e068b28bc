// The active checks of one host by one proxy: the effect of each result on the host, and the time of the next check.
//
//   HostChecks checks(config.health_checks, new_host_flags(config));
//   at(now + checks.first_delay(0, draw), ...);                     // then send the check, and its timeout after that
//   CheckStep step = checks.finish(0, classify(http, answer), now); // or the timeout's failure
//   if (step.transition == Transition::changed) { ... checks.flags() ... }
//   at(now + checks.next_delay(0, step, traffic, draw), ...);       // after the result: slow responses delay it
//
// A wrong answer fails the host at once; network failures, timeouts and retriable statuses count up to
// unhealthy_threshold. The first success of all makes a host healthy at once; after a failure, healthy_threshold
// successes are needed.
//
// Several checks: each has its own flags, and the host has every flag that any check has, once every check has brought
// its first result. (Envoy 1.40 and newer; older releases accept one check.)
//
// Nothing here reads a clock; the caller passes times. Source: docs/behaviour/envoy-host-pick.md 18; Envoy's
// health_checker_base_impl.cc and multi_health_checker.cc.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "models/config/health_check.hpp"
#include "models/envoy/host_health.hpp"
#include "models/health/check_answer.hpp"
#include "models/health/slow_start.hpp"

namespace spillway::health {

// Envoy's HealthTransition. Every `changed` must reach the balancer (update_merge_window.hpp).
enum class Transition : std::uint8_t { unchanged, changed, change_pending };

// The effect of one result. `own` concerns the check itself and decides its next delay; `transition` concerns the host.
struct CheckStep {
  bool healthy = false;
  Transition own = Transition::unchanged;
  Transition transition = Transition::unchanged;
};

// Runtime's health_check.min_interval and health_check.max_interval [ms].
struct IntervalBounds {
  std::uint64_t min_interval = 0;
  std::uint64_t max_interval = std::numeric_limits<std::uint64_t>::max();
};

// Returns the initial flags of a host in a cluster with checks: failed and, with ignore_new_hosts_until_first_hc,
// excluded until the first result. Hosts with disable_active_health_check have neither checks nor these flags.
[[nodiscard]] constexpr envoy::HostFlags new_host_flags(bool ignore_new_hosts_until_first_hc) noexcept {
  envoy::HostFlags flags{envoy::HostFlag::failed_active_hc};
  if (ignore_new_hosts_until_first_hc) {
    flags.set(envoy::HostFlag::pending_active_hc);
  }
  return flags;
}

// Returns `base` plus jitter, at least 1 ms. Makes one draw for the percentage if that is at least a millisecond, then
// one for interval_jitter if it is set.
template <class Draw>
[[nodiscard]] std::chrono::milliseconds interval_with_jitter(std::chrono::nanoseconds base,
                                                             std::uint32_t interval_jitter_percent,
                                                             std::chrono::nanoseconds interval_jitter,
                                                             const IntervalBounds& bounds, Draw& draw) {
  const auto whole = [](std::chrono::nanoseconds time) {
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
  };
  std::uint64_t result = whole(base);
  if (const std::uint64_t most = interval_jitter_percent * result / 100; most > 0) {
    result += draw() % most;
  }
  if (const std::uint64_t most = whole(interval_jitter); most > 0) {
    result += draw() % most;
  }
  result = result < bounds.max_interval ? result : bounds.max_interval;
  result = result > bounds.min_interval ? result : bounds.min_interval;
  return std::chrono::milliseconds{static_cast<std::int64_t>(result > 0 ? result : 1)};
}

// One check of one host, with its own flags. HostChecks owns them.
class CheckSession {
 public:
  explicit CheckSession(envoy::HostFlags flags) : flags_(flags) {}
  CheckSession(const config::HealthCheck& config, envoy::HostFlags flags) : config_(&config), flags_(flags) {}

  // Applies a result. The time of a success counts for slow start if the check counts as failed at that time.
  Transition finish(const CheckResult& result, std::chrono::nanoseconds now) noexcept;
  // As HostChecks::pass_again().
  [[nodiscard]] bool pass_again() noexcept {
    const bool passed_before = !first_check_ && flags_ == envoy::HostFlags{};
    num_unhealthy_ = passed_before ? 0 : num_unhealthy_;
    return passed_before;
  }

  [[nodiscard]] std::chrono::nanoseconds base_interval(bool healthy, Transition transition,
                                                       bool traffic) const noexcept;
  [[nodiscard]] bool exists() const noexcept { return config_ != nullptr; }
  [[nodiscard]] const config::HealthCheck& config() const noexcept { return *config_; }
  [[nodiscard]] envoy::HostFlags flags() const noexcept { return flags_; }
  [[nodiscard]] bool has_result() const noexcept { return !first_check_; }
  [[nodiscard]] std::chrono::nanoseconds last_hc_pass() const noexcept { return last_hc_pass_; }
  // Returns the number of consecutive failures that count towards unhealthy_threshold.
  [[nodiscard]] std::uint32_t failures() const noexcept { return num_unhealthy_; }

 private:
  Transition succeed(bool degraded, std::chrono::nanoseconds now) noexcept;
  Transition fail(const CheckResult& result) noexcept;
  Transition clear_pending(Transition transition) noexcept;

  const config::HealthCheck* config_ = nullptr;  // null if there is no check
  std::chrono::nanoseconds last_hc_pass_ = never;
  std::uint32_t num_healthy_ = 0;
  std::uint32_t num_unhealthy_ = 0;
  envoy::HostFlags flags_;
  bool first_check_ = true;
};

// Returns the delay after a pass at a host that had passed before, if that delay needs no draw; else nullopt.
[[nodiscard]] std::optional<std::chrono::nanoseconds> fixed_delay_of_pass(const config::HealthCheck& config,
                                                                          bool traffic);

// The checks of one host by one proxy. Small for one check, since there is one object per proxy and host.
class HostChecks {
 public:
  // Precondition: `health_checks` is not empty, is accepted by config::refusal and outlives this. `flags`: the host's
  // current check flags, for a host that returns with the same address; else new_host_flags.
  HostChecks(std::span<const config::HealthCheck> health_checks, envoy::HostFlags flags);

  [[nodiscard]] std::size_t size() const noexcept {
    return several_ != nullptr ? several_->sessions.size() : only_.exists() ? 1 : 0;
  }

  // Returns the time until the first check: 0, or up to initial_jitter but at least 1 ms, for one draw.
  template <class Draw>
  [[nodiscard]] std::chrono::nanoseconds first_delay(std::size_t check, Draw& draw,
                                                     const IntervalBounds& bounds = {}) const {
    const config::HealthCheck& config = session(check).config();
    if (std::chrono::duration_cast<std::chrono::milliseconds>(config.initial_jitter).count() == 0) {
      return std::chrono::nanoseconds{0};
    }
    return interval_with_jitter(std::chrono::nanoseconds{0}, 0, config.initial_jitter, bounds, draw);
  }

  // Applies the answer of check number `check`, or {.failure = network_timeout} once `timeout` has passed without one.
  CheckStep finish(std::size_t check, const CheckResult& result, std::chrono::nanoseconds now) noexcept;

  // Fast path: the only check of a host without flags passes again after an earlier result. Only resets the count of
  // consecutive failures. Returns false, without any effect, in all other cases, which finish() handles.
  [[nodiscard]] bool pass_again() noexcept { return several_ == nullptr && only_.exists() && only_.pass_again(); }

  // Returns the time from the result to the next check. `traffic`: the cluster has ever opened a connection for a
  // request.
  template <class Draw>
  [[nodiscard]] std::chrono::nanoseconds next_delay(std::size_t check, const CheckStep& step, bool traffic, Draw& draw,
                                                    const IntervalBounds& bounds = {}) const {
    const CheckSession& of = session(check);
    const config::HealthCheck& config = of.config();
    return interval_with_jitter(of.base_interval(step.healthy, step.own, traffic), config.interval_jitter_percent,
                                config.interval_jitter, bounds, draw);
  }

  // Handles an answer to a request with x-envoy-immediate-health-check-fail: the host fails and is excluded. The
  // schedule of checks does not change.
  CheckStep fail_immediately(std::chrono::nanoseconds now) noexcept;

  // Returns the consecutive failures of check number `check`, as far as they count towards its unhealthy_threshold.
  [[nodiscard]] std::uint32_t failures(std::size_t check) const noexcept { return session(check).failures(); }

  // Returns the flags that checks set: failed, degraded, pending, timeout, excluded.
  [[nodiscard]] envoy::HostFlags flags() const noexcept {
    return several_ != nullptr ? several_->flags : only_.flags();
  }

  // Returns the time of the last pass while the check counted as failed (HostTimes), or `never`.
  [[nodiscard]] std::chrono::nanoseconds last_hc_pass() const noexcept {
    return several_ != nullptr ? several_->last_hc_pass : only_.last_hc_pass();
  }

  // True if every check has brought a result. A cluster publishes no hosts until this is true of all its initial hosts.
  [[nodiscard]] bool initialized() const noexcept;

 private:
  struct Several {
    std::vector<CheckSession> sessions = {};
    envoy::HostFlags flags = {};
    std::chrono::nanoseconds last_hc_pass = never;

    [[nodiscard]] Transition take_flags() noexcept;
  };

  [[nodiscard]] const CheckSession& session(std::size_t check) const noexcept {
    return several_ != nullptr ? several_->sessions[check] : only_;
  }

  CheckSession only_;
  std::unique_ptr<Several> several_;  // used instead of only_ for two or more checks
};

}  // namespace spillway::health
