#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "sim/scenario/meaning/stages.hpp"

namespace spillway::scenario::meaning {
namespace {

config::HostIndex host_of_push(config::HostIndex host) {
  return host;
}
config::HostIndex host_of_push(const std::pair<config::HostIndex, config::HealthStatus>& told) {
  return told.first;
}

// What later pushes of one kind and moment are about.
class LaterPushes {
 public:
  // Another moment, which comes before.
  void begin() {
    ++moment_;
    to_some_.clear();
  }

  // True if a later push about the host reaches whoever this one reaches.
  [[nodiscard]] bool has(config::ServiceIndex service, config::HostIndex host,
                         const std::vector<config::ZoneIndex>& audience) const {
    const auto found = to_all_.find(service);
    const bool to_all =
        found != to_all_.end() && host.value < found->second.size() && found->second[host.value] == moment_;
    return to_all || (!audience.empty() && to_some_.contains({service, host, audience}));
  }

  void add(config::ServiceIndex service, config::HostIndex host, const std::vector<config::ZoneIndex>& audience,
           std::size_t hosts) {
    if (audience.empty()) {
      std::vector<std::uint32_t>& moments = to_all_[service];
      moments.resize(std::max<std::size_t>(hosts, host.value + std::size_t{1}), 0);
      moments[host.value] = moment_;
    } else {
      to_some_.emplace(service, host, audience);
    }
  }

 private:
  std::uint32_t moment_ = 0;
  std::map<config::ServiceIndex, std::vector<std::uint32_t>> to_all_;  // by host: the moment of the latest push
  std::set<std::tuple<config::ServiceIndex, config::HostIndex, std::vector<config::ZoneIndex>>> to_some_;
};

}  // namespace

void keep_last_of_moment(Scenario& scenario) {
  LaterPushes health;
  LaterPushes membership;
  const auto keep_last = [&](auto& push, LaterPushes& later) {
    std::erase_if(push.hosts,
                  [&](const auto& host) { return later.has(push.service, host_of_push(host), push.audience); });
    for (const auto& host : push.hosts) {
      later.add(push.service, host_of_push(host), push.audience, scenario.services[push.service.value].hosts.size());
    }
    return !push.hosts.empty();
  };
  std::vector<Change> kept;
  kept.reserve(scenario.changes.size());
  Nanoseconds moment{-1};
  for (auto change = scenario.changes.rbegin(); change != scenario.changes.rend(); ++change) {
    if (std::exchange(moment, change->at) != change->at) {
      health.begin();
      membership.begin();
    }
    auto* const told = std::get_if<TellHealth>(&change->effect);
    auto* const members = std::get_if<TellMembership>(&change->effect);
    if ((told == nullptr || keep_last(*told, health)) && (members == nullptr || keep_last(*members, membership))) {
      kept.push_back(std::move(*change));
    }
  }
  std::reverse(kept.begin(), kept.end());
  scenario.changes = std::move(kept);
}

}  // namespace spillway::scenario::meaning
