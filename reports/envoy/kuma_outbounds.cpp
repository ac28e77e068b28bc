#include "reports/envoy/kuma_outbounds.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "models/kuma/proxy/outbound_listener.hpp"
#include "models/kuma/proxy/write_cluster.hpp"
#include "models/kuma/proxy/write_listener.hpp"
#include "reports/envoy/listeners.hpp"
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

std::string address_of_outbound(std::size_t position) {
  constexpr std::size_t in_a_byte = 254;
  return "127.0." + std::to_string(position / in_a_byte) + "." + std::to_string(position % in_a_byte + 1);
}

std::optional<std::vector<Json>> kuma_listeners_json(const scenario::Scenario& scenario,
                                                     const scenario::ClientEntry& client, std::uint32_t port) {
  if (client.outbounds.empty() || !client.outbounds.front().decides) {
    return std::nullopt;
  }
  const auto shown = nlohmann::ordered_json::parse(shown_in_responses_json().text());
  std::vector<Json> listeners;
  for (std::size_t position = 0; position < client.outbounds.size(); ++position) {
    kuma::OutboundListener listener = *client.outbounds[position].listener;
    listener.address = address_of_outbound(position);
    listener.port = port;
    listener.name = "outbound:" + listener.address + ":" + std::to_string(port);
    const auto lead_to_exported = [&](std::vector<kuma::OutboundCluster>& clusters) {
      for (kuma::OutboundCluster& cluster : clusters) {
        cluster.name = scenario.services[cluster.view.value].name;
        cluster.external = false;  // exported endpoints have addresses only
      }
    };
    lead_to_exported(listener.clusters);
    for (kuma::OutboundRoute& route : listener.routes) {
      lead_to_exported(route.clusters);
    }
    nlohmann::ordered_json json = kuma::listener_json(listener);
    if (listener.is_http) {
      auto& manager = json["filter_chains"][0]["filters"][0]["typed_config"];
      manager["generate_request_id"] = false;
      manager["route_config"]["virtual_hosts"][0].update(shown);
    }
    listeners.push_back(of_tree(json));
  }
  return listeners;
}

std::map<std::string, config::ServiceIndex> kuma_cluster_names(const scenario::ClientEntry& client) {
  std::map<std::string, config::ServiceIndex> names;
  for (const scenario::OutboundInUse& outbound : client.outbounds) {
    for (const kuma::OutboundCluster& cluster : clusters_of(*outbound.listener)) {
      names.emplace(cluster.name, cluster.view);
    }
  }
  return names;
}

KumaConfiguration kuma_configuration(const scenario::Scenario& scenario, const scenario::ClientEntry& client) {
  KumaConfiguration made;
  for (const scenario::OutboundInUse& outbound : client.outbounds) {
    made.listeners.push_back(of_tree(kuma::listener_json(*outbound.listener)));
  }
  for (const auto& [name, view] : kuma_cluster_names(client)) {
    const scenario::Service& service = scenario.services[view.value];
    if (service.as_view && service.as_view->kuma_source) {
      made.clusters.push_back(of_tree(
          kuma::cluster_json(name, *service.as_view->kuma_source, client.outbounds.front().listener->client_tags)));
      made.load_assignments.push_back(of_tree(kuma::load_assignment_json(name, service.load_assignment)));
    }
  }
  return made;
}

}  // namespace spillway::reports::envoy_export
