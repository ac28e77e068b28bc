// Slow start: the part of its weight that a host gets while it has been healthy for less than the window.
//
//   slow_start_factor({.slow_start_window = 60s}, 12s);   // 0.2
//
//   SlowStart slow_start(now);                             // one client's balancer is created
//   slow_start.refresh(config, hosts, times);              // it takes new hosts
//   if (slow_start.may_apply(config, now)) {
//     weight = slow_start.weight(config, host, weight, now);
//   }
//
// A host starts when it passed its active check, or, without checks, when the balancer first sees it healthy. Schedules
// read weights when a host is picked or its priority changes, so time passing alone changes nothing.
//
// Source: docs/behaviour/envoy-host-pick.md 9; Envoy's load_balancer_impl.cc (EdfLoadBalancerBase). All durations count
// in whole milliseconds, as there.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "models/config/slow_start.hpp"
#include "models/config/strong.hpp"

namespace spillway::health {

// max((elapsed / window) ^ (1 / aggression), min_weight_percent / 100), 1 from the window's end on. Constant time.
[[nodiscard]] double slow_start_factor(const config::SlowStartConfig& config,
                                       std::chrono::nanoseconds elapsed) noexcept;

// A moment that has not come.
inline constexpr std::chrono::nanoseconds never = std::chrono::nanoseconds::min();

// What a proxy's clock and its active checks say when its balancer takes hosts.
struct HostTimes {
  std::chrono::nanoseconds now{0};
  // By HostIndex: when a check last passed while the host counted as failed, or `never`. Empty: none ever did.
  std::span<const std::chrono::nanoseconds> last_hc_pass = {};
  // Hosts that are new to the balancer now have been healthy for longer than any window.
  bool settled = false;
  // Slow start begins when a host is added, healthy or not, as before Envoy 1.25; checks do not matter.
  bool from_addition = false;
};

// What a refresh has to know of a host. One that stands in no list of any priority is `unlisted`, and is a new host
// when it comes back.
enum class SlowStartHost : std::uint8_t { unlisted, unhealthy, healthy };

// The clocks of one client's balancer. Memory: O(hosts).
class SlowStart {
 public:
  explicit SlowStart(std::chrono::nanoseconds created) noexcept : latest_(created) {}

  // Takes the hosts of all priorities, by HostIndex. Linear.
  void refresh(const config::SlowStartConfig& config, std::span<const SlowStartHost> hosts, const HostTimes& times);

  // Whether schedules have to be kept for equal weights too, since some host may be within its window: the last one to
  // start, or the balancer's creation, is no more than a window ago.
  [[nodiscard]] bool may_apply(const config::SlowStartConfig& config, std::chrono::nanoseconds now) const noexcept {
    using std::chrono::duration_cast;
    using std::chrono::milliseconds;
    return config.slow_start_window.count() > 0 &&
           duration_cast<milliseconds>(now - latest_) <= duration_cast<milliseconds>(config.slow_start_window);
  }

  // `weight` times the host's factor; all of it for hosts that are not healthy or past their window.
  [[nodiscard]] double weight(const config::SlowStartConfig& config, config::HostIndex host, double weight,
                              std::chrono::nanoseconds now) const noexcept;

 private:
  std::chrono::nanoseconds latest_;
  std::vector<std::chrono::nanoseconds> first_seen_;  // healthy; or never
  std::vector<std::chrono::nanoseconds> started_;     // by HostIndex; never: the factor does not apply
};

}  // namespace spillway::health
