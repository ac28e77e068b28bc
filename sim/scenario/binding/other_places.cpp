#include <map>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "models/config/each_endpoint.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::binding {
namespace {

// Returns the hosts of a load assignment, each with the position of its group.
std::vector<std::pair<std::size_t, config::LbEndpoint>> written_hosts(const config::ClusterLoadAssignment& assignment) {
  std::vector<std::pair<std::size_t, config::LbEndpoint>> hosts;
  config::for_each_endpoint(assignment, [&](config::HostIndex, const auto& endpoint, const auto& group) {
    hosts.emplace_back(&group - assignment.endpoints.data(), endpoint);
  });
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
    const auto hosts = written_hosts(service.load_assignment);
    auto& groups = service.load_assignment.endpoints;
    const std::size_t written = groups.size();
    std::vector<std::size_t> follows;
    for (const auto& [host, priority] : places) {
      const auto& [group, endpoint] = hosts[host.value];
      if (groups[group].priority == priority) {
        continue;
      }
      follows.push_back(group_at(service.load_assignment, group, priority, written));
      groups.push_back({groups[group].locality, priority, groups[follows.back()].load_balancing_weight, {endpoint}});
      service.absent_at_start.push_back({static_cast<std::uint32_t>(service.hosts.size())});
      service.hosts.push_back(service.hosts[host.value]);
      service.other_places.push_back({host, priority});
    }
    announce_later_groups(scenario, index, follows);
  }
}

}  // namespace spillway::scenario::binding
