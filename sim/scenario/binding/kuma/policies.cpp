#include "sim/scenario/binding/kuma/policies.hpp"

#include <utility>

#include "sim/scenario/binding/kuma/kuma_mesh.hpp"

namespace spillway::scenario::kuma_binding {

namespace {

template <class T>
std::vector<T> of_mesh(const std::vector<kuma::Document<T>>& documents, const std::string& mesh) {
  std::vector<T> values;
  for (const auto& document : documents) {
    if (document.origin.mesh == mesh) {
      values.push_back(document.value);
    }
  }
  return values;
}

template <class Conf>
std::optional<kuma::MergedConf<Conf>> conf_of(const kuma::PolicySet<Conf>& policies, const kuma::Client& client,
                                              const Destination& destination, config::KumaProfile profile) {
  return destination.model == kuma::DestinationModel::tag
             ? policies.of_tag(client, destination.name, profile)
             : policies.of_resource(client, resource_of(destination, client), profile);
}

kuma::Destination resource_of_route(const Policies& policies, std::size_t position) {
  const kuma::MeshHTTPRoute& route = policies.http_routes.policies()[position];
  return {.kind = "MeshHTTPRoute", .name = route.name, .labels = route.labels};
}

template <class Conf>
std::optional<Conf> plain(const std::optional<kuma::MergedConf<Conf>>& merged) {
  return merged ? std::optional(merged->conf) : std::nullopt;
}

template <class T>
std::vector<kuma::Origin> origins_of_mesh(const std::vector<kuma::Document<T>>& documents, const std::string& mesh) {
  std::vector<kuma::Origin> origins;
  for (const auto& document : documents) {
    if (document.origin.mesh == mesh) {
      origins.push_back(document.origin);
    }
  }
  return origins;
}

std::optional<kuma::Conf> plain(const std::optional<kuma::Rule>& rule) {
  return rule ? std::optional(rule->conf) : std::nullopt;
}

}  // namespace

kuma::Destination resource_of(const Destination& destination, const kuma::Client& client) {
  static const std::map<kuma::DestinationModel, std::string> kinds = {
      {kuma::DestinationModel::mesh_service, "MeshService"},
      {kuma::DestinationModel::mesh_multi_zone_service, "MeshMultiZoneService"},
      {kuma::DestinationModel::mesh_external_service, "MeshExternalService"}};
  const bool has_name = !destination.port_name.empty();
  return {.kind = kinds.at(destination.model),
          .name = destination.name,
          .labels = destination.labels,
          .port_name = !has_name                    ? std::to_string(destination.port)
                       : client.outbounds_by_number ? std::string()
                                                    : destination.port_name,
          .port = destination.port};
}

Policies policies_of(const kuma::Documents& documents, const std::string& mesh, config::KumaProfile profile) {
  return {.profile = profile,
          .strategies = of_mesh(documents.strategies, mesh),
          .strategy_origins = origins_of_mesh(documents.strategies, mesh),
          .http_routes = kuma::PolicySet(of_mesh(documents.http_routes, mesh)),
          .tcp_routes = kuma::PolicySet(of_mesh(documents.tcp_routes, mesh)),
          .circuit_breakers = kuma::PolicySet(of_mesh(documents.circuit_breakers, mesh)),
          .health_checks = kuma::PolicySet(of_mesh(documents.health_checks, mesh)),
          .retries = kuma::PolicySet(of_mesh(documents.retries, mesh)),
          .timeouts = kuma::PolicySet(of_mesh(documents.timeouts, mesh)),
          .circuit_breaker_origins = origins_of_mesh(documents.circuit_breakers, mesh),
          .http_route_origins = origins_of_mesh(documents.http_routes, mesh),
          .tcp_route_origins = origins_of_mesh(documents.tcp_routes, mesh)};
}

ClusterConfs confs_of(const Policies& policies, const kuma::Client& client, const Destination& destination) {
  const bool by_tag = destination.model == kuma::DestinationModel::tag;
  if (by_tag && !client.has_outbound(destination.name)) {
    return {};
  }
  auto rule =
      by_tag ? kuma::tag_rule(policies.strategies, client, destination.name, policies.profile)
             : kuma::resource_rule(policies.strategies, client, resource_of(destination, client), policies.profile);
  auto breaker = conf_of(policies.circuit_breakers, client, destination, policies.profile);
  return {.strategy = plain(rule),
          .strategy_origins = rule ? std::move(rule->origins) : std::vector<kuma::RuleOrigin>{},
          .circuit_breaker = plain(breaker),
          .circuit_breaker_origins = breaker ? std::move(breaker->origins) : std::vector<kuma::RuleOrigin>{},
          .health_check = plain(conf_of(policies.health_checks, client, destination, policies.profile)),
          .timeout = timeout_conf_of(policies, client, destination)};
}

std::optional<kuma::MergedConf<kuma::HttpRouteConf>> http_conf_of(const Policies& policies, const kuma::Client& client,
                                                                  const Destination& destination) {
  return conf_of(policies.http_routes, client, destination, policies.profile);
}

std::optional<kuma::MergedConf<kuma::TcpRouteConf>> tcp_conf_of(const Policies& policies, const kuma::Client& client,
                                                                const Destination& destination) {
  return conf_of(policies.tcp_routes, client, destination, policies.profile);
}

std::optional<kuma::RetryConf> retry_conf_of(const Policies& policies, const kuma::Client& client,
                                             const Destination& destination) {
  return plain(conf_of(policies.retries, client, destination, policies.profile));
}

std::optional<kuma::RetryConf> retry_conf_of_route(const Policies& policies, const kuma::Client& client,
                                                   std::size_t route) {
  return plain(policies.retries.of_resource(client, resource_of_route(policies, route), policies.profile));
}

std::optional<kuma::TimeoutConf> timeout_conf_of(const Policies& policies, const kuma::Client& client,
                                                 const Destination& destination) {
  return plain(conf_of(policies.timeouts, client, destination, policies.profile));
}

std::optional<kuma::TimeoutConf> timeout_conf_of_route(const Policies& policies, const kuma::Client& client,
                                                       std::size_t route) {
  return plain(policies.timeouts.of_resource(client, resource_of_route(policies, route), policies.profile));
}

std::optional<kuma::Conf> conf_of_route(const Policies& policies, const kuma::Client& client, std::size_t route) {
  return plain(kuma::resource_rule(policies.strategies, client, resource_of_route(policies, route), policies.profile));
}

}  // namespace spillway::scenario::kuma_binding
