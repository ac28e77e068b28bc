// Slow start: the fraction of its weight that a host gets while it has been healthy for less than the window.
//
//   slow_start_factor({.slow_start_window = 60s}, 12s);   // 0.2
//
//   SlowStart slow_start(now);                             // one client's balancer is created
//   slow_start.refresh(config, hosts, times);              // it takes new hosts
//   if (slow_start.may_apply(config, now)) {
//     weight = slow_start.weight(config, host, weight, now);
//   }
//
// A host's slow start begins when it passes its active check or, without checks, when the balancer first sees it
// healthy. Schedules read weights only when a host is picked or its priority changes, so the passage of time alone has
// no effect.
//
// Durations are in whole milliseconds, as in Envoy.
// Source: docs/behaviour/envoy-host-pick.md 9; Envoy's load_balancer_impl.cc (EdfLoadBalancerBase).
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "models/config/slow_start.hpp"
#include "models/config/strong.hpp"

namespace spillway::health {

// Returns max((elapsed / window) ^ (1 / aggression), min_weight_percent / 100); 1 from the window's end on. O(1).
[[nodiscard]] double slow_start_factor(const config::SlowStartConfig& config,
                                       std::chrono::nanoseconds elapsed) noexcept;

// A time before all others, for events that have not occurred.
inline constexpr std::chrono::nanoseconds never = std::chrono::nanoseconds::min();

// Times known to a proxy's clock and its active checks when its balancer receives hosts.
struct HostTimes {
  std::chrono::nanoseconds now{0};
  // By HostIndex: when a check last passed while the host counted as failed, or `never`. Empty if no check ever did.
  std::span<const std::chrono::nanoseconds> last_hc_pass = {};
  // True if hosts that are new to the balancer have already been healthy for longer than any window.
  bool settled = false;
  // True if slow start begins when a host is added, healthy or not, as before Envoy 1.25; checks do not matter.
  bool from_addition = false;
};

// The state of a host for a refresh. A host in no list of any priority is `unlisted`, and counts as new when it
// returns.
enum class SlowStartHost : std::uint8_t { unlisted, unhealthy, healthy };

// The slow-start times of one client's balancer. Memory: O(hosts).
class SlowStart {
 public:
  explicit SlowStart(std::chrono::nanoseconds created) noexcept : latest_(created) {}

  // Updates the hosts of all priorities, by HostIndex. O(hosts).
  void refresh(const config::SlowStartConfig& config, std::span<const SlowStartHost> hosts, const HostTimes& times);

  // True if some host may be within its window, so that schedules are needed even for equal weights. That is so if the
  // last start, or the balancer's creation, is at most one window ago.
  [[nodiscard]] bool may_apply(const config::SlowStartConfig& config, std::chrono::nanoseconds now) const noexcept {
    using std::chrono::duration_cast;
    using std::chrono::milliseconds;
    return config.slow_start_window.count() > 0 &&
           duration_cast<milliseconds>(now - latest_) <= duration_cast<milliseconds>(config.slow_start_window);
  }

  // Returns `weight` times the host's factor; the full weight for hosts that are unhealthy or past their window.
  [[nodiscard]] double weight(const config::SlowStartConfig& config, config::HostIndex host, double weight,
                              std::chrono::nanoseconds now) const noexcept;

 private:
  std::chrono::nanoseconds latest_;
  std::vector<std::chrono::nanoseconds> first_seen_;  // seen healthy; or never
  std::vector<std::chrono::nanoseconds> started_;     // by HostIndex; never: the factor does not apply
};

}  // namespace spillway::health
