#include "sim/run/exact/slow_start_clock.hpp"

#include <algorithm>

#include "models/envoy/cluster_state.hpp"
#include "models/envoy/policies/pick_input.hpp"
#include "models/envoy/policies/registry.hpp"
#include "models/envoy/policies/slow_start_hosts.hpp"
#include "models/numeric/power.hpp"

namespace spillway::run {

namespace {

// Before anything that matters in a run, and far enough from the minimum of the clock to subtract windows.
constexpr Nanoseconds long_ago = Nanoseconds::min() / 4;

}  // namespace

const config::SlowStartConfig* followed_slow_start(const envoy::ClusterState& state) {
  namespace policies = envoy::policies;
  if (state.aggregate || state.subsets != nullptr || state.fallback != nullptr || config::before(state.profile, 25)) {
    return nullptr;
  }
  const auto* const found = policies::visit_policy(
      state.lb_policy, []<class Policy>(const typename Policy::Config& config) -> const config::SlowStartConfig* {
        if constexpr (requires { config.slow_start_config; } && !requires { Policy::follows_load_reports; }) {
          return &config.slow_start_config;
        }
        return nullptr;
      });
  return found != nullptr && found->slow_start_window.count() > 0 ? found : nullptr;
}

SlowStartClock::SlowStartClock(const envoy::ClusterState& first) : started_(long_ago) {
  refresh(first, {.now = long_ago, .settled = true});
}

void SlowStartClock::take(const envoy::ClusterState& state, Nanoseconds now) {
  refresh(state, {.now = now});
}

void SlowStartClock::refresh(const envoy::ClusterState& state, const health::HostTimes& times) {
  if (const config::SlowStartConfig* const config = followed_slow_start(state)) {
    const std::vector<bool> changed(state.sources.priorities(), true);
    (void)envoy::policies::refresh_slow_start(started_, *config,
                                              {.sources = state.sources,
                                               .changed = changed,
                                               .active_requests = {},
                                               .hosts = state.hosts.hosts,
                                               .times = times});
  }
}

std::vector<double> SlowStartClock::factors(const envoy::ClusterState& state, Nanoseconds now) const {
  const config::SlowStartConfig* const config = followed_slow_start(state);
  std::vector<double> factors;
  for (std::uint32_t host = 0; config != nullptr && host < state.hosts.hosts.size(); ++host) {
    factors.push_back(started_.weight(*config, config::HostIndex{host}, 1.0, now));
  }
  return factors;
}

double lag_of_schedule(double first, double last, double picks) {
  const double turns = std::max(picks, 1.0);
  return last > first && first > 0.0 ? turns / 2.0 * (numeric::power(last / first, 1.0 / turns) - 1.0) : 0.0;
}

}  // namespace spillway::run
