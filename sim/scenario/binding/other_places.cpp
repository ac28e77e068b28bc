#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::binding {
namespace {

// A host of a load assignment with the position of its group.
struct WrittenHost {
  std::size_t group = 0;
  config::LbEndpoint endpoint;
};

std::vector<WrittenHost> written_hosts(const Service& service) {
  std::vector<WrittenHost> hosts;
  const auto& groups = service.load_assignment.endpoints;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (const config::LbEndpoint& endpoint : groups[group].lb_endpoints) {
      hosts.push_back({group, endpoint});
    }
  }
  return hosts;
}

// Returns the written group whose locality weight applies to a host that moves to a priority: the group of its locality
// there, or, if the file has none, the host's original group.
std::size_t group_at(const config::ClusterLoadAssignment& assignment, std::size_t from, config::Priority priority,
                     std::size_t written) {
  for (std::size_t group = 0; group < written; ++group) {
    if (assignment.endpoints[group].priority == priority &&
        assignment.endpoints[group].locality == assignment.endpoints[from].locality) {
      return group;
    }
  }
  return from;
}

// Repeats reports about a locality's weight for the groups of hosts that move to it. `follows` is by group after the
// written ones.
void announce_later_groups(Scenario& scenario, config::ServiceIndex service, const std::vector<std::size_t>& follows) {
  const std::size_t written = scenario.services[service.value].load_assignment.endpoints.size() - follows.size();
  for (Change& change : scenario.changes) {
    auto* const reported = std::get_if<EdsWeights>(&change.effect);
    if (reported == nullptr || reported->service != service) {
      continue;
    }
    const std::map<std::uint32_t, std::uint32_t> localities(reported->localities.begin(), reported->localities.end());
    for (std::size_t later = 0; later < follows.size(); ++later) {
      if (const auto found = localities.find(static_cast<std::uint32_t>(follows[later])); found != localities.end()) {
        reported->localities.emplace_back(static_cast<std::uint32_t>(written + later), found->second);
      }
    }
  }
}

}  // namespace

void add_other_places(Scenario& scenario) {
  std::map<config::ServiceIndex, std::set<std::pair<config::HostIndex, config::Priority>>> moves;
  for (const Change& change : scenario.changes) {
    const auto* const reported = std::get_if<EdsPriority>(&change.effect);
    for (std::size_t host = 0; reported != nullptr && host < reported->hosts.size(); ++host) {
      moves[reported->service].emplace(reported->hosts[host], reported->priority);
    }
  }
  for (const auto& [index, places] : moves) {
    Service& service = scenario.services[index.value];
    const std::vector<WrittenHost> hosts = written_hosts(service);
    auto& groups = service.load_assignment.endpoints;
    const std::size_t written = groups.size();
    std::vector<std::size_t> follows;
    for (const auto& [host, priority] : places) {
      const WrittenHost& of = hosts[host.value];
      if (groups[of.group].priority == priority) {
        continue;
      }
      follows.push_back(group_at(service.load_assignment, of.group, priority, written));
      groups.push_back(
          {groups[of.group].locality, priority, groups[follows.back()].load_balancing_weight, {of.endpoint}});
      service.absent_at_start.push_back({static_cast<std::uint32_t>(service.hosts.size())});
      service.hosts.push_back(service.hosts[host.value]);
      service.other_places.push_back({host, priority});
    }
    announce_later_groups(scenario, index, follows);
  }
}

}  // namespace spillway::scenario::binding
