// Writes clusters and routes into a scenario, whichever front end made them: the scenario's own keys, or the documents
// of Envoy, Kuma or Istio.
//
//   add_host(service, endpoint, locality, {.address = "10.0.0.1:80"});
//   const config::ServiceIndex cluster = add_cluster(scenario, std::move(service));
//   const config::ServiceIndex none = add_missing_cluster(scenario, "v2", cluster, {.reason = "no subset"});
//   const std::uint32_t taken = add_route(scenario, std::move(route), taken_so_far, is_same);
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/config/cluster_load_assignment.hpp"
#include "models/config/strong.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::scenario {
struct MissingCluster;  // missing_cluster.hpp
}  // namespace spillway::scenario

namespace spillway::scenario::binding {

// Adds a cluster with its load assignment.
config::ServiceIndex add_cluster(Scenario& scenario, Service service);

// Adds what stands for a cluster that a route names and the proxy lacks, or for a response of the proxy itself. `of`:
// the service that clients request; nullopt if they request the cluster by its name.
config::ServiceIndex add_missing_cluster(Scenario& scenario, std::string name, std::optional<config::ServiceIndex> of,
                                         MissingCluster missing);

// Adds a host behind the others: to the last group if that has the locality, else to a group of its own.
void add_host(Service& service, config::EndpointIndex endpoint, const config::Locality& locality,
              config::LbEndpoint written);

// Adds a route and returns its position. If one of `known` has the same clusters and is_same(position) is true, that
// one gets the origins of the route instead.
template <class IsSame>
std::uint32_t add_route(Scenario& scenario, Route route, std::vector<std::uint32_t>& known, const IsSame& is_same) {
  const auto same = std::find_if(known.begin(), known.end(), [&](std::uint32_t position) {
    const Route& other = std::as_const(scenario.routes)[position];
    return other.clusters == route.clusters && other.route == route.route &&
           other.retry_policy.has_value() == route.retry_policy.has_value() && is_same(position, other);
  });
  if (same != known.end()) {
    add_origins(scenario.routes, *same, route.origins);
    return *same;
  }
  known.push_back(static_cast<std::uint32_t>(scenario.routes.size()));
  scenario.routes.push_back(std::move(route));
  return known.back();
}

}  // namespace spillway::scenario::binding
