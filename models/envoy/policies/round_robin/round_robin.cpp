#include "models/envoy/policies/round_robin/round_robin.hpp"

#include <algorithm>
#include <utility>

#include "models/envoy/policies/round_robin/policy.hpp"
#include "models/envoy/policies/slow_start_hosts.hpp"
#include "models/envoy/policies/weight_shares.hpp"

namespace spillway::envoy::policies::round_robin {

void PickState::update(const Config& config, const PickStateInput& input) {
  const HostSources& sources = input.sources;
  std::vector<std::uint64_t> cursors(sources.size(), schedules_.seed());
  std::vector<std::uint32_t> begins;
  for (std::uint32_t priority = 0; priority < sources.priorities(); ++priority) {
    begins.push_back(sources.begin_of(priority).value);
    if (priority >= begins_.size()) {
      continue;
    }
    const std::size_t old_end = priority + 1 < begins_.size() ? begins_[priority + 1] : cursors_.size();
    const std::size_t kept =
        std::min<std::size_t>(old_end - begins_[priority], sources.end_of(priority).value - begins.back());
    std::copy_n(cursors_.begin() + begins_[priority], kept, cursors.begin() + begins.back());
  }
  cursors_ = std::move(cursors);
  peeked_ = 0;
  begins_ = std::move(begins);
  if (!refresh_slow_start(slow_start_, config.slow_start_config, input)) {
    schedules_.rebuild(
        sources, input.changed, [&sources](SourceIndex source) { return sources.weights(source); },
        equal_weights(config.slow_start_config, false));
    return;
  }
  schedules_.rebuild(
      sources, input.changed,
      [&](SourceIndex source) {
        const auto hosts = sources.hosts(source);
        const auto weights = sources.weights(source);
        std::vector<double> slow;
        slow.reserve(hosts.size());
        for (std::size_t position = 0; position < hosts.size(); ++position) {
          slow.push_back(
              slow_start_.weight(config.slow_start_config, hosts[position], weights[position], input.times.now));
        }
        return slow;
      },
      equal_weights(config.slow_start_config, true));
}

void add_shares(const Config&, const ShareInput& input, double probability, std::span<double> shares) {
  add_weight_shares(input, probability, shares);
}

}  // namespace spillway::envoy::policies::round_robin
