#include "sim/run/requests/forwarded_connections.hpp"

#include "sim/run/requests/truth.hpp"
#include "sim/run/traffic/targets.hpp"
#include "sim/world/world.hpp"

namespace spillway::run {

std::optional<std::uint32_t> ForwardedConnections::find(std::uint32_t worker, std::uint32_t host,
                                                        const Targets& targets) {
  const auto found = connections_.find(key(worker, host));
  if (found == connections_.end()) {
    return std::nullopt;
  }
  const Target& target = targets.at(found->second.target);
  if (!truth_->exists(target.endpoint) || outages_on_the_way(target) != found->second.outages) {
    connections_.erase(found);
    return std::nullopt;
  }
  return found->second.target;
}

void ForwardedConnections::open(std::uint32_t worker, std::uint32_t host, const Targets& targets,
                                std::uint32_t target) {
  const Target& to = targets.at(target);
  if (!to.via.empty() && !to.ends_at_zone_proxy && truth_->exists(to.endpoint)) {
    connections_.insert_or_assign(key(worker, host), Connection{target, outages_on_the_way(to)});
  }
}

void ForwardedConnections::close(std::uint32_t worker, std::uint32_t host, std::uint32_t target) {
  const auto found = connections_.find(key(worker, host));
  if (found != connections_.end() && found->second.target == target) {
    connections_.erase(found);
  }
}

std::uint32_t ForwardedConnections::outages_on_the_way(const Target& target) const {
  const auto outages = [&](config::EndpointIndex endpoint) {
    return world_->outages(scenario_->endpoints[endpoint.value].node);
  };
  std::uint32_t sum = outages(target.endpoint);
  for (const config::EndpointIndex proxy : target.via) {
    sum += outages(proxy);
  }
  return sum;
}

}  // namespace spillway::run
