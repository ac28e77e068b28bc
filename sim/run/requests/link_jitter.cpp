#include "sim/run/requests/link_jitter.hpp"

#include <cstdint>

namespace spillway::run {

using std::chrono::nanoseconds;

LinkJitter::LinkJitter(const scenario::Scenario& scenario) : scenario_(&scenario) {
  const std::size_t zones = scenario.zones.size();
  for (const scenario::Link& link : scenario.links) {
    if (link.jitter > nanoseconds{0}) {
      by_zones_.resize(zones * zones, nanoseconds{0});
      by_zones_[link.first.value * zones + link.second.value] = link.jitter;
      by_zones_[link.second.value * zones + link.first.value] = link.jitter;
    }
  }
}

RoundTrip LinkJitter::draw(config::NodeIndex from, config::NodeIndex to, engine::RandomStream& stream) const {
  if (!any()) {
    return {};
  }
  const auto zone = [&](config::NodeIndex node) { return std::size_t{scenario_->nodes[node.value].zone.value}; };
  const nanoseconds jitter = by_zones_[zone(from) * scenario_->zones.size() + zone(to)];
  if (jitter == nanoseconds{0}) {
    return {};
  }
  const auto deviation = [&] {
    const auto steps = static_cast<std::uint64_t>(2 * jitter.count() + 1);
    return nanoseconds{static_cast<std::int64_t>(stream() % steps)} - jitter;
  };
  RoundTrip result;
  result.there = deviation();
  result.back = deviation();
  return result;
}

}  // namespace spillway::run
