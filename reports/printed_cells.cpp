#include "reports/printed_cells.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <tuple>
#include <type_traits>
#include <variant>

#include "sim/run/flows.hpp"
#include "sim/run/targets.hpp"

namespace spillway::reports {
namespace {

using Moments = std::set<std::chrono::nanoseconds>;

// When proxies are told something of each service.
std::map<config::ServiceIndex, Moments> moments_by_service(const scenario::Scenario& scenario) {
  std::map<config::ServiceIndex, Moments> moments;
  for (const scenario::Change& change : scenario.changes) {
    std::visit(
        [&](const auto& effect) {
          using Effect = std::decay_t<decltype(effect)>;
          if constexpr (std::is_same_v<Effect, scenario::TellHealth> ||
                        std::is_same_v<Effect, scenario::TellMembership> ||
                        std::is_same_v<Effect, scenario::TellWeights>) {
            if (change.at > std::chrono::nanoseconds{0} && change.at < scenario.duration) {
              moments[effect.service].insert(change.at);
            }
          }
        },
        change.effect);
  }
  return moments;
}

// Of the rows of a client's table.
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
    // 0 where nobody asked for it.
    using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::string, std::uint32_t,
                           std::vector<config::EndpointIndex>, std::uint32_t>;
    std::set<Key> groups;
    for (std::uint32_t index = 0; index < targets.size(); ++index) {
      const run::Target& target = targets.at(index);
      const config::NodeIndex node = target.endpoint_in(scenario_).node;
      const scenario::Node& of = scenario_.nodes[node.value];
      groups.insert({by_.has(Dimension::cluster) ? target.service.value : 0,
                     by_.has(Dimension::priority) ? target.priority.value : 0,
                     by_.has(Dimension::zone) ? of.zone.value : 0, by_.has(Dimension::sub_zone) ? of.sub_zone : "",
                     by_.has(Dimension::node) ? node.value : 0,
                     by_.has(Dimension::via) ? target.via : std::vector<config::EndpointIndex>{},
                     by_.has(Dimension::endpoint) ? target.endpoint.value : 0});
    }
    return groups.size();
  }

  const scenario::Scenario& scenario_;
  Dimensions by_;
  std::map<config::ServiceIndex, Moments> moments_;
  std::map<config::ServiceIndex, double> cells_;
};

}  // namespace

double printed_cells(const scenario::Scenario& scenario, const Dimensions& by) {
  const run::Flows flows(scenario);
  Sizes sizes(scenario, by);
  std::map<config::ServiceIndex, double> of_all;  // of the largest view of each service
  double cells = 0.0;
  for (const run::FlowIndex flow : flows.all()) {
    if (scenario.clients[flows.at(flow).client.value].zone_proxy) {
      continue;
    }
    const double own = sizes.cells(flows.at(flow).service);
    cells += own;
    double& most = of_all[scenario::asked_for(scenario, flows.at(flow).service)];
    most = std::max(most, own);
  }
  if (by.has(Dimension::client)) {
    return cells;
  }
  cells = 0.0;
  for (const auto& [service, most] : of_all) {
    cells += most;
  }
  return cells;
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
