#include "reports/envoy/kuma_outbounds.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "models/kuma/proxy/outbound_listener.hpp"
#include "models/kuma/proxy/write_cluster.hpp"
#include "models/kuma/proxy/write_listener.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports::envoy_export {
namespace {

Json of_tree(const nlohmann::ordered_json& tree) {
  return Json::of_text(tree.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::vector<kuma::OutboundCluster> clusters_of(const kuma::OutboundListener& listener) {
  std::vector<kuma::OutboundCluster> clusters = listener.clusters;
  for (const kuma::OutboundRoute& route : listener.routes) {
    clusters.insert(clusters.end(), route.clusters.begin(), route.clusters.end());
  }
  return clusters;
}

}  // namespace

std::vector<config::ServiceIndex> kuma_clusters(const scenario::ClientEntry& client) {
  std::vector<config::ServiceIndex> views;
  for (const scenario::OutboundInUse& outbound : client.outbounds) {
    for (const kuma::OutboundCluster& cluster : clusters_of(*outbound.listener)) {
      if (std::find(views.begin(), views.end(), cluster.view) == views.end()) {
        views.push_back(cluster.view);
      }
    }
  }
  return views;
}

std::optional<Json> kuma_routes_json(const scenario::Scenario& scenario, const scenario::ClientEntry& client) {
  if (client.outbounds.size() != 1 || !client.outbounds.front().listener->is_http) {
    return std::nullopt;
  }
  kuma::OutboundListener listener = *client.outbounds.front().listener;
  for (kuma::OutboundRoute& route : listener.routes) {
    for (kuma::OutboundCluster& cluster : route.clusters) {
      cluster.name = scenario.services[cluster.view.value].name;
      cluster.external = false;  // exported endpoints have addresses only
    }
  }
  const nlohmann::ordered_json manager = kuma::connection_manager_json(listener);
  return of_tree(manager["route_config"]["virtual_hosts"][0]["routes"]);
}

std::optional<Json> kuma_configuration_json(const scenario::Scenario& scenario, const scenario::ClientEntry& client) {
  if (client.outbounds.empty()) {
    return std::nullopt;
  }
  Json listeners = Json::array();
  Json clusters = Json::array();
  Json load_assignments = Json::array();
  std::map<std::string, config::ServiceIndex> views;
  for (const scenario::OutboundInUse& outbound : client.outbounds) {
    listeners.push_back(of_tree(kuma::listener_json(*outbound.listener)));
    for (const kuma::OutboundCluster& cluster : clusters_of(*outbound.listener)) {
      views.emplace(cluster.name, cluster.view);
    }
  }
  for (const auto& [name, view] : views) {
    const scenario::Service& service = scenario.services[view.value];
    if (service.as_view && service.as_view->kuma_source) {
      clusters.push_back(of_tree(
          kuma::cluster_json(name, *service.as_view->kuma_source, client.outbounds.front().listener->client_tags)));
      load_assignments.push_back(of_tree(kuma::load_assignment_json(name, service.load_assignment)));
    }
  }
  return Json{{"listeners", listeners}, {"clusters", clusters}, {"load_assignments", load_assignments}};
}

}  // namespace spillway::reports::envoy_export
