#include "sim/scenario/last_of_moment.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario {
namespace {

config::HostIndex host_of_push(config::HostIndex host) {
  return host;
}
config::HostIndex host_of_push(const std::pair<config::HostIndex, config::HealthStatus>& reported) {
  return reported.first;
}

// The hosts of later pushes of one kind at one time.
class LaterPushes {
 public:
  // Starts another, earlier time.
  void begin() {
    ++moment_;
    to_some_.clear();
  }

  // True if a later push about the host reaches every zone that this one reaches.
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
  std::map<config::ServiceIndex, std::vector<std::uint32_t>> to_all_;  // by host: the time of the latest push
  std::set<std::tuple<config::ServiceIndex, config::HostIndex, std::vector<config::ZoneIndex>>> to_some_;
};

}  // namespace

std::map<std::size_t, Effect> last_of_moment(const Scenario& scenario) {
  LaterPushes health;
  LaterPushes membership;
  std::map<std::size_t, Effect> left;
  const auto keep_last = [&](const auto& push, LaterPushes& later, std::size_t position) {
    const auto reported_later = [&](const auto& host) {
      return later.has(push.service, host_of_push(host), push.audience);
    };
    if (std::any_of(push.hosts.begin(), push.hosts.end(), reported_later)) {
      auto less = push;
      std::erase_if(less.hosts, reported_later);
      left.emplace(position, std::move(less));
    }
    for (const auto& host : push.hosts) {
      later.add(push.service, host_of_push(host), push.audience, scenario.services[push.service.value].hosts.size());
    }
  };
  const std::vector<Change>& changes = scenario.changes;
  for (std::size_t position = changes.size(); position-- > 0;) {
    const bool begins = position + 1 == changes.size() || changes[position].at != changes[position + 1].at;
    if (begins && (position == 0 || changes[position].at != changes[position - 1].at)) {
      continue;
    }
    if (begins) {
      health.begin();
      membership.begin();
    }
    if (const auto* const reported = std::get_if<EdsHealth>(&changes[position].effect)) {
      keep_last(*reported, health, position);
    } else if (const auto* const members = std::get_if<EdsMembership>(&changes[position].effect)) {
      keep_last(*members, membership, position);
    }
  }
  return left;
}

}  // namespace spillway::scenario
