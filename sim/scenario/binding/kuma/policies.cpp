#include "sim/scenario/binding/kuma/policies.hpp"

#include <utility>

#include "sim/scenario/binding/kuma/kuma_mesh.hpp"

namespace spillway::scenario::kuma_binding {

kuma::Destination resource_of(const Destination& destination, const kuma::Client& client) {
  const bool has_name = !destination.port_name.empty();
  return {.kind = destination.kind(),
          .name = destination.name,
          .labels = destination.labels,
          .port_name = !has_name                    ? std::to_string(destination.port)
                       : client.outbounds_by_number ? std::string()
                                                    : destination.port_name,
          .port = destination.port};
}

std::vector<PoliciesOf<kuma::Conf>::Document> as_targeted(const std::vector<kuma::Document<kuma::Policy>>& strategies) {
  std::vector<PoliciesOf<kuma::Conf>::Document> result;
  for (const auto& document : strategies) {
    const kuma::MeshLoadBalancingStrategy& spec = document.value.spec;
    kuma::TargetedPolicy<kuma::Conf> policy{
        .name = document.value.name, .labels = document.value.labels, .targetRef = spec.targetRef};
    policy.to.emplace();
    for (const kuma::To& item : spec.to.value_or(std::vector<kuma::To>{})) {
      policy.to->push_back({.targetRef = item.targetRef, .default_ = item.default_});
    }
    result.push_back({document.origin, std::move(policy)});
  }
  return result;
}

Policies policies_of(const kuma::Documents& documents, const std::string& mesh, config::KumaProfile profile) {
  return {.profile = profile,
          .plain_strategies = of_mesh(documents.strategies, mesh, &kuma::Document<kuma::Policy>::value),
          .strategies = {as_targeted(documents.strategies), mesh, profile},
          .http_routes = {documents.http_routes, mesh, profile},
          .tcp_routes = {documents.tcp_routes, mesh, profile},
          .circuit_breakers = {documents.circuit_breakers, mesh, profile},
          .health_checks = {documents.health_checks, mesh, profile},
          .retries = {documents.retries, mesh, profile},
          .timeouts = {documents.timeouts, mesh, profile}};
}

ClusterConfs confs_of(const Policies& policies, const kuma::Client& client, const Destination& destination) {
  if (destination.model == kuma::DestinationModel::tag && !client.has_outbound(destination.name)) {
    return {};
  }
  ClusterConfs confs{.health_check = policies.health_checks.conf(client, destination),
                     .timeout = policies.timeouts.conf(client, destination)};
  if (auto strategy = policies.strategies.merged(client, destination)) {
    confs.strategy = std::move(strategy->conf);
    confs.strategy_origins = std::move(strategy->origins);
  }
  if (auto breaker = policies.circuit_breakers.merged(client, destination)) {
    confs.circuit_breaker = std::move(breaker->conf);
    confs.circuit_breaker_origins = std::move(breaker->origins);
  }
  return confs;
}

}  // namespace spillway::scenario::kuma_binding
