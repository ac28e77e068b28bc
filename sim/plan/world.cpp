#include "sim/plan/world.hpp"

#include <algorithm>
#include <set>
#include <variant>

#include "models/config/listed_health.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::plan {

World::World(const scenario::Scenario& scenario, std::chrono::nanoseconds at)
    : scenario_(&scenario), actual_(scenario::actual_at(scenario, at)) {
  std::set<std::uint32_t> zones;
  for (const scenario::ClientEntry& entry : scenario.clients) {
    zones.insert(scenario.nodes[entry.node.value].zone.value);
  }
  for (const std::uint32_t zone : zones) {
    reported_.push_back(scenario::eds_state_at(scenario, config::ZoneIndex{zone}, at));
  }
}

bool World::has_trouble_beyond(const World& other) const {
  for (std::uint32_t node = 0; node < scenario_->nodes.size(); ++node) {
    if (!actual_.is_on({node}) && other.actual_.is_on({node})) {
      return true;
    }
  }
  for (std::uint32_t link = 0; link < scenario_->links.size(); ++link) {
    const auto& [latency, on] = actual_.of(config::LinkIndex{link});
    const scenario::LinkState& there = other.actual_.of(config::LinkIndex{link});
    if ((!on && there.on) || latency > there.latency) {
      return true;
    }
  }
  for (std::uint32_t service = 0; service < scenario_->services.size(); ++service) {
    for (std::uint32_t host = 0; host < scenario_->services[service].hosts.size(); ++host) {
      if (is_worse(other, service, host)) {
        return true;
      }
    }
  }
  return false;
}

std::vector<bool> World::present() const {
  std::vector<bool> present(scenario_->endpoints.size(), false);
  for (std::uint32_t service = 0; service < scenario_->services.size(); ++service) {
    const auto& hosts = scenario_->services[service].hosts;
    for (std::uint32_t host = 0; host < hosts.size(); ++host) {
      if (actual_.answers(hosts[host].endpoint) && is_member(service, host)) {
        present[hosts[host].endpoint.value] = true;
      }
    }
  }
  return present;
}

bool World::is_member(std::uint32_t service, std::uint32_t host) const {
  return std::any_of(reported_.begin(), reported_.end(),
                     [&](const scenario::EdsState& reported) { return reported.of({service}).absent[host] == 0; });
}

bool World::is_worse(const World& other, std::uint32_t service, std::uint32_t host) const {
  const config::EndpointIndex endpoint = scenario_->services[service].hosts[host].endpoint;
  const scenario::EndpointState& here = actual_.of(endpoint);
  const scenario::EndpointState& there = other.actual_.of(endpoint);
  // A host that has also left the endpoint set was removed, not lost.
  const bool lost = !here.exists && is_member(service, host) && (there.exists || !other.is_member(service, host));
  const bool fails = here.failing.fraction > there.failing.fraction || here.failing.every > there.failing.every;
  const bool checked = here.check_answer != there.check_answer && here.check_answer != scenario::CheckAnswer::healthy;
  if (lost || fails || checked || here.slowness > there.slowness) {
    return true;
  }
  for (std::size_t zone = 0; zone < reported_.size(); ++zone) {
    if (!config::is_listed_healthy(reported_[zone].of({service}).health[host]) &&
        config::is_listed_healthy(other.reported_[zone].of({service}).health[host])) {
      return true;
    }
  }
  return false;
}

std::optional<EndedFailure> ended_failure(const scenario::Scenario& scenario) {
  constexpr std::size_t most_looked_at = 64;
  std::set<std::chrono::nanoseconds> times;
  for (const scenario::Change& change : scenario.changes) {
    if (!std::holds_alternative<scenario::RateChange>(change.effect) && change.at < scenario.duration) {
      times.insert(change.at);
    }
  }
  if (times.empty()) {
    return std::nullopt;
  }
  const World start(scenario, std::chrono::nanoseconds{0});
  const auto is_bad = [&](std::chrono::nanoseconds at) { return World(scenario, at).has_trouble_beyond(start); };
  std::optional<EndedFailure> failure;
  std::chrono::nanoseconds later = scenario.duration;
  std::size_t looked_at = 0;
  for (auto at = times.rbegin(); at != times.rend(); ++at) {
    if (++looked_at > most_looked_at) {
      return std::nullopt;
    }
    if (!is_bad(*at)) {
      if (failure) {
        return failure;
      }
    } else if (later == scenario.duration) {
      return std::nullopt;
    } else {
      failure = EndedFailure{*at, failure ? failure->ends : later};
    }
    later = *at;
  }
  return failure;
}

}  // namespace spillway::plan
