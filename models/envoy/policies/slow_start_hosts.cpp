#include "models/envoy/policies/slow_start_hosts.hpp"

#include <vector>

#include "models/envoy/policies/pick_input.hpp"
#include "models/health/slow_start.hpp"

namespace spillway::envoy::policies {

bool refresh_slow_start(health::SlowStart& slow_start, const config::SlowStartConfig& config,
                        const PickStateInput& input) {
  if (config.slow_start_window.count() <= 0) {
    return false;
  }
  std::vector<health::SlowStartHost> hosts(input.hosts.size(), health::SlowStartHost::unlisted);
  for (std::uint32_t source = 0; source < input.sources.size(); ++source) {
    for (const config::HostIndex host : input.sources.hosts({source})) {
      const bool healthy = coarse_health(input.hosts[host.value].flags) == Health::healthy;
      hosts[host.value] = healthy ? health::SlowStartHost::healthy : health::SlowStartHost::unhealthy;
    }
  }
  health::HostTimes times = input.times;
  times.from_addition = config::before(input.sources.profile(), 25);
  slow_start.refresh(config, hosts, times);
  return slow_start.may_apply(config, input.times.now);
}

}  // namespace spillway::envoy::policies
