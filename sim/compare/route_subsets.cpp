#include "sim/compare/route_subsets.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <variant>

#include "models/envoy/policies/registry.hpp"
#include "models/envoy/routes/metadata_match.hpp"
#include "sim/compare/compare.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/workload.hpp"

namespace spillway::compare {
namespace {

const config::Struct* pointer_to(const std::optional<config::Struct>& part) {
  return part ? &*part : nullptr;
}

// Returns the requests with this metadata. A hash policy of the route is removed, since its keys are unknown.
scenario::Scenario with_metadata(const scenario::Scenario& original, const config::Struct& metadata) {
  scenario::Scenario world = original;
  const config::ServiceIndex service = world.clients.front().workload.service;
  scenario::Route route;
  route.route.action.clusters.push_back({.name = world.services[service.value].name});
  route.route.action.metadata_match = metadata;
  route.clusters.push_back(service);
  scenario::RequestKind kind;
  kind.name = world.services[service.value].name;
  kind.route = static_cast<std::uint32_t>(world.routes.size());
  world.routes.push_back(std::move(route));
  world.clients.front().workload.requests = {std::move(kind)};
  return world;
}

}  // namespace

bool chooses_by_metadata(const scenario::Scenario& world) {
  const auto members = scenario::members_of(world, scenario::services_of(world, world.clients.front()).front());
  return std::any_of(members.begin(), members.end(), [&](config::ServiceIndex member) {
    const auto* policy = &world.services[member.value].cluster.lb_policy;
    while (policy != nullptr && !std::holds_alternative<envoy::policies::subset::Config>(*policy)) {
      policy = envoy::policies::child_of(*policy);
    }
    return policy != nullptr;
  });
}

void RouteSubsets::add(const scenario::Scenario& described) {
  for (const scenario::RequestKind& kind : described.clients.front().workload.requests) {
    const scenario::Route& route = described.routes[kind.route];
    const envoy::routes::RouteAction& action = route.route.action;
    for (std::size_t i = 0; i < action.clusters.size(); ++i) {
      if (action.clusters.size() > 1 && action.clusters[i].weight == 0) {
        continue;
      }
      auto& known = brought_[described.services[route.clusters[i].value].name];
      auto metadata = envoy::routes::merge_criteria(
          {pointer_to(action.metadata_match), pointer_to(action.clusters[i].metadata_match)});
      if (std::find(known.begin(), known.end(), metadata) == known.end()) {
        known.push_back(std::move(metadata));
      }
    }
  }
}

void RouteSubsets::apply(ClusterReading& reading) const {
  if (!reading.scenario || !chooses_by_metadata(*reading.scenario)) {
    return;
  }
  const scenario::Scenario plain = *reading.scenario;
  const auto found = brought_.find(plain.services[plain.clients.front().workload.service.value].name);
  if (found == brought_.end()) {
    reading.notes.emplace_back("assumed: requests bring no metadata, as no route to it was read");
  } else {
    std::vector<scenario::Scenario> ways;
    for (const std::optional<config::Struct>& metadata : found->second) {
      ways.push_back(metadata ? with_metadata(plain, *metadata) : plain);
    }
    reading.scenario = std::move(ways.front());
    reading.other_ways.assign(std::make_move_iterator(ways.begin() + 1), std::make_move_iterator(ways.end()));
    if (ways.size() > 1) {
      reading.notes.push_back(
          fmt::format("routes to it bring {} different metadata for its subsets: their parts of the "
                      "requests are those that fit the counts best",
                      ways.size()));
    }
  }
  if (unread_ > 0) {
    reading.notes.push_back(fmt::format("{} {} not read and may choose other subsets", unread_,
                                        unread_ == 1 ? "route was" : "routes were"));
  }
}

}  // namespace spillway::compare
