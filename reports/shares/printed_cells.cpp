#include "reports/shares/printed_cells.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "models/envoy/policies/registry.hpp"
#include "reports/shares/group_by.hpp"
#include "sim/run/traffic/flows.hpp"
#include "sim/run/traffic/targets.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::reports {
namespace {

using Moments = std::set<std::chrono::nanoseconds>;

// Returns the times at which EDS state of each service changes.
std::map<config::ServiceIndex, Moments> moments_by_service(const scenario::Scenario& scenario) {
  std::map<config::ServiceIndex, Moments> moments;
  for (const scenario::Change& change : scenario.changes) {
    std::visit(
        [&](const auto& effect) {
          using Effect = std::decay_t<decltype(effect)>;
          if constexpr (scenario::is_reported<Effect>) {
            if (change.at > std::chrono::nanoseconds{0} && change.at < scenario.duration) {
              moments[effect.service].insert(change.at);
            }
          } else if constexpr (std::is_same_v<Effect, config::RuntimeChange>) {
            for (std::uint32_t service = 0; scenario.local_cluster && service < scenario.services.size(); ++service) {
              moments[{service}].insert(change.at);
            }
          }
        },
        change.effect);
  }
  return moments;
}

// Computes the number of rows of a client's table.
class Sizes {
 public:
  Sizes(const scenario::Scenario& scenario, const Dimensions& by)
      : scenario_(scenario), by_(by), moments_(moments_by_service(scenario)) {}

  [[nodiscard]] double cells(config::ServiceIndex view) {
    const auto [place, is_new] = cells_.try_emplace(view, 0.0);
    if (is_new) {
      const run::Targets targets(scenario_, view);
      place->second = static_cast<double>(epochs(view, targets)) * static_cast<double>(groups(targets));
    }
    return place->second;
  }

  // Returns the number of rows between zones for a client in that zone.
  [[nodiscard]] double crossings(config::ServiceIndex view, config::ZoneIndex from) {
    const auto [place, is_new] = crossings_.try_emplace({view, from}, 0.0);
    if (is_new) {
      const run::Targets targets(scenario_, view);
      std::set<std::pair<config::ZoneIndex, config::ZoneIndex>> pairs;
      for (std::uint32_t index = 0; index < targets.size(); ++index) {
        config::ZoneIndex at = from;
        const auto step = [&](config::EndpointIndex endpoint) {
          const config::ZoneIndex to = scenario_.nodes[scenario_.endpoints[endpoint.value].node.value].zone;
          pairs.insert({std::exchange(at, to), to});
        };
        std::for_each(targets.at(index).via.begin(), targets.at(index).via.end(), step);
        step(targets.at(index).endpoint);
      }
      const auto crossing =
          std::count_if(pairs.begin(), pairs.end(), [](const auto& of) { return of.first != of.second; });
      place->second = static_cast<double>(epochs(view, targets)) * static_cast<double>(crossing);
    }
    return place->second;
  }

 private:
  [[nodiscard]] std::size_t epochs(config::ServiceIndex view, const run::Targets& targets) const {
    std::set<config::ServiceIndex> services{view};
    for (std::uint32_t index = 0; index < targets.size(); ++index) {
      const run::Target& target = targets.at(index);
      services.insert(target.service);
      const auto& forwards = scenario_.services[target.service.value].hosts[target.host.value].forwards_to;
      if (forwards) {
        services.insert(*forwards);
      }
    }
    if (scenario_.local_cluster) {
      services.insert(*scenario_.local_cluster);
    }
    Moments all;
    for (const config::ServiceIndex service : services) {
      if (const auto found = moments_.find(service); found != moments_.end()) {
        all.insert(found->second.begin(), found->second.end());
      }
    }
    return all.size() + 1;
  }

  [[nodiscard]] std::size_t groups(const run::Targets& targets) const {
    // Dimensions that were not requested are 0.
    using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::string, std::uint32_t,
                           std::vector<config::EndpointIndex>, std::uint32_t>;
    std::set<Key> groups;
    for (std::uint32_t index = 0; index < targets.size(); ++index) {
      const run::Target& target = targets.at(index);
      const config::NodeIndex node = target.endpoint_in(scenario_).node;
      const scenario::Node& of = scenario_.nodes[node.value];
      // Most keys come in order, or equal the previous one.
      groups.emplace_hint(
          groups.end(),
          Key{by_.has(Dimension::cluster) ? target.service.value : 0,
              by_.has(Dimension::priority) ? target.priority.value : 0, by_.has(Dimension::zone) ? of.zone.value : 0,
              by_.has(Dimension::sub_zone) ? of.sub_zone : "", by_.has(Dimension::node) ? node.value : 0,
              by_.has(Dimension::via) ? target.via : std::vector<config::EndpointIndex>{},
              by_.has(Dimension::endpoint) ? target.endpoint.value : 0});
    }
    return groups.size();
  }

  const scenario::Scenario& scenario_;
  Dimensions by_;
  std::map<config::ServiceIndex, Moments> moments_;
  std::map<config::ServiceIndex, double> cells_;
  std::map<std::pair<config::ServiceIndex, config::ZoneIndex>, double> crossings_;
};

// Counts the steps of a request to each of a service's targets: over zone proxies to the endpoint.
class Steps {
 public:
  explicit Steps(const scenario::Scenario& scenario) : scenario_(scenario) {}

  [[nodiscard]] double of(config::ServiceIndex service) {
    double steps = 0.0;
    for (std::size_t length = 1; const double targets : by_length(service)) {
      steps += targets * static_cast<double>(length++);
    }
    return steps;
  }

 private:
  // Returns the number of targets by the number of zone proxies before them.
  const std::vector<double>& by_length(config::ServiceIndex service) {
    const auto [place, is_new] = known_.try_emplace(service);
    std::vector<double>& lengths = place->second;
    if (!is_new) {
      return lengths;
    }
    lengths.push_back(0.0);
    scenario::for_each_member(scenario_, service, [&](config::ServiceIndex member) {
      for (const scenario::Host& host : scenario_.services[member.value].hosts) {
        lengths[0] += 1.0;
        if (host.forwards_to) {
          const std::vector<double>& behind = by_length(*host.forwards_to);
          lengths.resize(std::max(lengths.size(), behind.size() + 1), 0.0);
          for (std::size_t length = 0; length < behind.size(); ++length) {
            lengths[length + 1] += behind[length];
          }
        }
      }
    });
    return lengths;
  }

  const scenario::Scenario& scenario_;
  std::map<config::ServiceIndex, std::vector<double>> known_;
};

// Calls visit(flow) for flows of clients that send requests.
template <class Visit>
void for_each_flow(const scenario::Scenario& scenario, const Visit& visit) {
  const run::Flows flows(scenario);
  for (const run::FlowIndex flow : flows.all()) {
    if (!scenario.clients[flows.at(flow).client.value].zone_proxy) {
      visit(flows.at(flow));
    }
  }
}

// Sums sizes of tables over all flows. Without the dimension of clients, the tables of all clients of one service and
// zone are merged into the largest. `size_of` returns the zone and the size.
template <class SizeOf>
double sum_of_flows(const scenario::Scenario& scenario, const Dimensions& by, const SizeOf& size_of) {
  std::map<std::pair<config::ServiceIndex, config::ZoneIndex>, double> largest;
  double all = 0.0;
  for_each_flow(scenario, [&](const run::Flow& flow) {
    const auto [zone, size] = size_of(flow);
    all += size;
    double& most = largest[{scenario::asked_for(scenario, flow.service), zone}];
    most = std::max(most, size);
  });
  if (by.has(Dimension::client)) {
    return all;
  }
  double merged = 0.0;
  for (const auto& [place, most] : largest) {
    merged += most;
  }
  return merged;
}

}  // namespace

double most_cells(const scenario::Scenario& scenario) {
  Steps steps(scenario);
  double cells = 0.0;
  for_each_flow(scenario, [&](const run::Flow& flow) { cells += steps.of(flow.service); });
  return cells * static_cast<double>(scenario.changes.size() + 1);
}

double printed_cells(const scenario::Scenario& scenario, const Dimensions& by) {
  Sizes sizes(scenario, by);
  return sum_of_flows(scenario, by,
                      [&](const run::Flow& flow) { return std::pair(config::ZoneIndex{}, sizes.cells(flow.service)); });
}

double printed_crossings(const scenario::Scenario& scenario, const Dimensions& by) {
  Sizes sizes(scenario, by);
  return sum_of_flows(scenario, by, [&](const run::Flow& flow) {
    const config::ZoneIndex from = scenario.nodes[scenario.clients[flow.client.value].node.value].zone;
    return std::pair(from, sizes.crossings(flow.service, from));
  });
}

double printed_loads(const scenario::Scenario& scenario, std::optional<std::chrono::nanoseconds> sample) {
  const auto endpoints = static_cast<double>(scenario.endpoints.size());
  if (sample) {
    return endpoints * std::ceil(static_cast<double>(scenario.duration.count()) / static_cast<double>(sample->count()));
  }
  Moments all;
  for (const auto& [service, moments] : moments_by_service(scenario)) {
    all.insert(moments.begin(), moments.end());
  }
  return endpoints * static_cast<double>(all.size() + 1);
}

std::size_t printed_tables(const scenario::Scenario& scenario) {
  std::set<std::pair<config::ClientEntryIndex, config::ServiceIndex>> tables;
  for_each_flow(scenario, [&](const run::Flow& flow) {
    tables.insert({flow.client, scenario::asked_for(scenario, flow.service)});
  });
  return tables.size();
}

Dimensions fewer_dimensions(const scenario::Scenario& scenario, Dimensions by) {
  for (const Dimension dropped : {Dimension::endpoint, Dimension::node, Dimension::client}) {
    if (printed_cells(scenario, by) <= most_printed_cells) {
      break;
    }
    by = by.without(dropped);
  }
  return by;
}

std::string names_of(const Dimensions& by) {
  std::string text;
  for (std::size_t dimension = 0; dimension < Dimensions::names().size(); ++dimension) {
    if (by.has(static_cast<Dimension>(dimension))) {
      text += (text.empty() ? "" : ",") + Dimensions::names()[dimension];
    }
  }
  return text;
}

}  // namespace spillway::reports
