// Clusters and routes that a VirtualService names but the proxy does not have.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "models/documents/problem.hpp"
#include "sim/scenario/binding/istio/istio_mesh.hpp"
#include "sim/scenario/binding/istio/views.hpp"
#include "sim/scenario/binding/made_clusters.hpp"
#include "sim/scenario/change.hpp"
#include "sim/scenario/missing_cluster.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::istio_binding {

// Returns a route for requests that match no route of the proxy: Envoy answers them with a 404 (response flag NR).
Route Views::no_route(std::uint32_t of_class, const Destination& destination) {
  const std::string name = "no route for " + mesh_->registry.services[destination.position].hostname + ":" +
                           std::to_string(destination.port);
  const config::ServiceIndex view =
      add_missing({of_class, name}, name, destination.service,
                  {.no_route = true, .reason = "no route of its VirtualService takes the request"});
  Route route;
  route.clusters = {view};
  route.route.action.clusters = {{name, 1, std::nullopt}};
  return route;
}

// Source: istiod's route/route.go, translatePercentToFractionalPercent.
std::uint32_t per_million(double percent) {
  constexpr double parts_of_percent = 10'000.0;
  constexpr std::uint32_t million = 1'000'000;
  return std::min(million, static_cast<std::uint32_t>(std::lround(percent * parts_of_percent)));
}

// Gives the part of the requests that a route's `fault` aborts to a cluster that is missing. Envoy's filter answers
// them before a cluster is chosen, without retries, by a draw in parts per million.
void Views::add_aborted(std::uint32_t of_class, const Destination& destination, const istio::Route& taken,
                        Route& route) {
  constexpr std::uint64_t million = 1'000'000;
  if (!taken.fault || !taken.fault->abort || !(taken.fault->abort->percentage > 0.0)) {
    return;
  }
  const std::uint64_t aborted = per_million(taken.fault->abort->percentage);
  const std::string& grpc = taken.fault->abort->grpcStatus;
  // An answer with a status of gRPC is a 200.
  const std::uint32_t status = grpc.empty() ? taken.fault->abort->httpStatus : 200;
  const std::string answer = grpc.empty() ? std::to_string(status) : grpc;
  const std::string name = "fault " + answer + " of route " + std::to_string(taken.rule.value_or(0)) + " to " +
                           mesh_->registry.services[destination.position].hostname;
  const config::ServiceIndex view = add_missing({of_class, name}, name, destination.service,
                                                {.no_route = true,
                                                 .direct_response = status,
                                                 .reason = "the route's `fault` answers them with " + answer,
                                                 .outcome = Outcome::fault});
  auto& clusters = route.route.action.clusters;
  if (aborted == million) {
    clusters.clear();
    route.clusters.clear();
  }
  std::uint64_t all = 0;
  for (const auto& cluster : clusters) {
    all += cluster.weight;
  }
  std::uint64_t divisor = clusters.empty() ? 1 : std::gcd(aborted * all, million - aborted);
  for (const auto& cluster : clusters) {
    divisor = std::gcd(divisor, cluster.weight * (million - aborted));
  }
  for (auto& cluster : clusters) {
    cluster.weight = static_cast<std::uint32_t>(cluster.weight * (million - aborted) / divisor);
  }
  route.clusters.push_back(view);
  clusters.push_back({name, clusters.empty() ? 1 : static_cast<std::uint32_t>(aborted * all / divisor), std::nullopt});
}

// Returns a missing cluster for a host that is not a service visible to the proxy.
config::ServiceIndex Views::unknown_host(std::uint32_t of_class, const istio::Target& target,
                                         config::ServiceIndex asked) {
  // There is one per requested service, so that its requests count as requests for that service.
  const ViewKey key{of_class, target.cluster + " of " + std::to_string(asked.value)};
  const auto all = mesh_->registry.of_host(target.host);
  const bool hidden =
      std::any_of(all.begin(), all.end(), [&](const istio::Service* one) { return one->port(target.port) != nullptr; });
  const std::string with_port = target.host + " with port " + std::to_string(target.port);
  return add_missing(key, target.cluster, asked,
                     {.reason = hidden ? "the proxy does not see " + with_port + " (exportTo or a Sidecar)"
                                       : "no service of the documents is " + with_port});
}

config::ServiceIndex Views::add_missing(const ViewKey& key, std::string name, config::ServiceIndex asked,
                                        MissingCluster missing) {
  if (const auto known = known_view(key)) {
    return *known;
  }
  if (problem_of_ != nullptr) {
    missing.routed_by = "VirtualService " + in_ticks(problem_of_->meta.name_space + "/" + problem_of_->meta.name);
    missing.where = problem_of_->where;
  }
  return made_.emplace(key, binding::add_missing_cluster(*scenario_, std::move(name), asked, std::move(missing)))
      .first->second;
}

}  // namespace spillway::scenario::istio_binding
