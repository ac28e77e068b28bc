#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "sim/scenario/meaning/context.hpp"

namespace spillway::scenario::meaning {
namespace {

// A host of a load assignment with where it is written.
struct WrittenHost {
  config::LocalityLbEndpoints group;  // without endpoints
  config::LbEndpoint endpoint;
};

std::vector<WrittenHost> written_hosts(const Service& service) {
  std::vector<WrittenHost> hosts;
  for (const config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
    for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
      hosts.push_back({{group.locality, group.priority, group.load_balancing_weight, {}}, endpoint});
    }
  }
  return hosts;
}

// Of the locality at a priority; where the file has none, that of the locality where the host comes from.
std::optional<std::uint32_t> weight_at(const config::ClusterLoadAssignment& assignment,
                                       const config::LocalityLbEndpoints& from, config::Priority priority) {
  for (const config::LocalityLbEndpoints& group : assignment.endpoints) {
    if (group.priority == priority && group.locality == from.locality) {
      return group.load_balancing_weight;
    }
  }
  return from.load_balancing_weight;
}

// What is told of a locality's weight is told of its hosts that came later, too.
void tell_later_groups(Scenario& scenario, config::ServiceIndex service, std::size_t first_later) {
  const auto& groups = scenario.services[service.value].load_assignment.endpoints;
  for (Change& change : scenario.changes) {
    auto* const told = std::get_if<TellWeights>(&change.effect);
    if (told == nullptr || told->service != service) {
      continue;
    }
    std::map<std::uint32_t, std::uint32_t> localities(told->localities.begin(), told->localities.end());
    for (const auto& [group, weight] : told->localities) {
      for (std::size_t later = first_later; later < groups.size(); ++later) {
        if (groups[later].priority == groups[group].priority && groups[later].locality == groups[group].locality) {
          localities[static_cast<std::uint32_t>(later)] = weight;
        }
      }
    }
    told->localities.assign(localities.begin(), localities.end());
  }
}

}  // namespace

void add_other_places(Context& context) {
  std::map<config::ServiceIndex, std::set<std::pair<config::HostIndex, config::Priority>>> moves;
  for (const Change& change : context.scenario.changes) {
    const auto* const told = std::get_if<TellPriority>(&change.effect);
    for (std::size_t host = 0; told != nullptr && host < told->hosts.size(); ++host) {
      moves[told->service].emplace(told->hosts[host], told->priority);
    }
  }
  for (const auto& [index, places] : moves) {
    Service& service = context.scenario.services[index.value];
    const std::vector<WrittenHost> hosts = written_hosts(service);
    const std::size_t first_later = service.load_assignment.endpoints.size();
    for (const auto& [host, priority] : places) {
      const WrittenHost& of = hosts[host.value];
      if (of.group.priority == priority) {
        continue;
      }
      const auto weight = weight_at(service.load_assignment, of.group, priority);
      service.load_assignment.endpoints.push_back({of.group.locality, priority, weight, {of.endpoint}});
      service.absent_at_start.push_back({static_cast<std::uint32_t>(service.hosts.size())});
      service.hosts.push_back(service.hosts[host.value]);
      service.other_places.push_back({host, priority});
    }
    tell_later_groups(context.scenario, index, first_later);
  }
}

}  // namespace spillway::scenario::meaning
