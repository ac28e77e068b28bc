#include "sim/run/requests/link_jitter.hpp"

#include "sim/engine/random_stream.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::run {

using std::chrono::nanoseconds;

LinkJitter::LinkJitter(const scenario::Scenario& scenario) : scenario_(&scenario) {
  const std::size_t zones = scenario.zones.size();
  for (const scenario::Link& link : scenario.links) {
    if (link.jitter > nanoseconds{0}) {
      by_zones_.resize(zones * zones);
      const auto steps = static_cast<std::uint64_t>(2 * link.jitter.count() + 1);
      const OfLink of_link{link.jitter, numeric::Remainder(steps)};
      by_zones_[link.first.value * zones + link.second.value] = of_link;
      by_zones_[link.second.value * zones + link.first.value] = of_link;
    }
  }
}

LinkJitter::OfLink LinkJitter::of(config::NodeIndex from, config::NodeIndex to) const noexcept {
  if (!any()) {
    return {};
  }
  const auto zone = [&](config::NodeIndex node) { return std::size_t{scenario_->nodes[node.value].zone.value}; };
  return by_zones_[zone(from) * scenario_->zones.size() + zone(to)];
}

RoundTrip LinkJitter::draw(config::NodeIndex from, config::NodeIndex to, engine::RandomStream& stream) const {
  return of(from, to).draw(stream);
}

}  // namespace spillway::run
