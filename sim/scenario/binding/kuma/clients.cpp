// Gives every client its views of the services that it requests, by Kuma's documents.
#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "models/config/each_endpoint.hpp"
#include "models/documents/problem.hpp"
#include "models/kuma/cluster_settings.hpp"
#include "models/kuma/documents/admission.hpp"
#include "models/kuma/envoy_cluster.hpp"
#include "models/kuma/splits.hpp"
#include "sim/scenario/binding/kuma/document_checks.hpp"
#include "sim/scenario/binding/kuma/places.hpp"
#include "sim/scenario/binding/kuma/policies.hpp"
#include "sim/scenario/binding/kuma/routes.hpp"
#include "sim/scenario/binding/kuma/views.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::scenario::binding {
namespace {

// Adds the endpoints of the scenario's own services as dataplanes, and the services as destinations.
class Joiner {
 public:
  Joiner(KumaClients& so_far, std::size_t services_of_file) : so_far_(so_far), services_(services_of_file) {}

  void join() {
    for (std::size_t index = 0; index < services_; ++index) {
      const Service& service = so_far_.scenario.services[index];
      if (service.cluster.aggregate_clusters.empty() && !service.cluster.original_dst) {
        add(config::ServiceIndex{static_cast<std::uint32_t>(index)}, service);
      }
    }
  }

 private:
  void add(config::ServiceIndex index, const Service& service) {
    const bool head = so_far_.mesh.profile == config::KumaProfile::head;
    std::string protocol;  // common protocol of its endpoints; http if one has none
    std::vector<std::string> zones;
    config::for_each_endpoint(service.load_assignment, [&](config::HostIndex host, const config::LbEndpoint& endpoint) {
      const config::EndpointIndex at = service.hosts[host.value].endpoint;
      const Endpoint& of = so_far_.scenario.endpoints[at.value];
      kuma::Tags tags = kuma_binding::tags_of_node(so_far_.scenario, of.node);
      tags.insert(of.tags.begin(), of.tags.end());
      tags[std::string(kuma::service_tag)] = service.name;
      const std::string_view tag = kuma::value_of(tags, kuma::protocol_tag);
      const std::string of_endpoint = tag.empty() ? "http" : kuma::parse_protocol(tag);
      protocol = protocol.empty() ? of_endpoint : kuma::common_protocol(protocol, of_endpoint);
      kuma::Dataplane dataplane{.name = of.id,
                                .mesh = so_far_.mesh.mesh.name,
                                .address = endpoint.address,
                                .labels = tags,
                                .inbounds = {{.tags = tags}}};
      so_far_.mesh.dataplanes.push_back({std::move(dataplane), so_far_.scenario.nodes[of.node.value].zone, {at}});
      const std::string& zone = so_far_.scenario.zones[so_far_.scenario.nodes[of.node.value].zone.value].name;
      if (std::find(zones.begin(), zones.end(), zone) == zones.end()) {
        zones.push_back(zone);
      }
    });
    kuma_binding::Destination destination{.service = index, .name = service.name};
    destination.protocol = protocol.empty() ? destination.protocol : protocol;
    if (head) {
      add_real_service(service.name, zones);
      destination.model = kuma::DestinationModel::mesh_multi_zone_service;
      destination.labels = labels_of(service.name);
    }
    so_far_.mesh.destinations.push_back(std::move(destination));
  }

  static kuma::Tags labels_of(const std::string& name) { return {{std::string(kuma::display_name_label), name}}; }

  void add_real_service(const std::string& name, const std::vector<std::string>& zones) {
    kuma::MeshMultiZoneService all{.name = name, .labels = labels_of(name), .ports = {{}}};
    for (const std::string& zone : zones) {
      kuma::Tags labels = labels_of(name);
      labels[std::string(kuma::zone_tag)] = zone;
      all.members.push_back(so_far_.mesh.mesh_services.size());
      so_far_.mesh.mesh_services.push_back({.name = name,
                                            .zone = zone,
                                            .labels = std::move(labels),
                                            .dataplaneLabels = kuma::Tags{{std::string(kuma::service_tag), name}},
                                            .ports = {{}}});
    }
    so_far_.mesh.mesh_multi_zone_services.push_back(std::move(all));
  }

  KumaClients& so_far_;
  std::size_t services_;
};

// Returns the tags of the outbound for each kind of requests of a client. Dataplanes that are not listed as clients
// send one kind through each outbound. Listed clients use the first outbound that routes to the requested service.
std::vector<kuma_binding::OutboundTags> outbound_tags(const KumaServices& so_far, const ClientEntry& entry) {
  const std::size_t kinds = std::max<std::size_t>(entry.workload.requests.size(), 1);
  std::vector<kuma_binding::OutboundTags> result(kinds);
  const kuma::DataplaneDocument* const document = dataplane_of(so_far, entry.name);
  if (document == nullptr || document->transparent) {
    return result;
  }
  const bool one_each = !so_far.file.clients.present;
  for (std::size_t position = 0; position < document->outbounds.size(); ++position) {
    kuma::Tags tags = document->outbounds[position].tags;
    const std::string service(kuma::value_of(tags, kuma::service_tag));
    tags.erase(std::string(kuma::service_tag));
    tags.erase(std::string(kuma::mesh_tag));
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      if (!one_each || kind == position) {
        result[kind].emplace(service, tags);
      }
    }
  }
  return result;
}

// Returns the services that a Dataplane has outbounds for, and any service that the client requests. nullopt if its
// Dataplane lists no outbounds or has one for every service.
std::optional<std::set<std::string, std::less<>>> outbounds_of(const KumaServices& so_far,
                                                               const kuma::DataplaneDocument& document,
                                                               const ClientEntry& entry) {
  const bool builtin_gateway = document.gateway && document.gateway->builtin;
  if (document.outbounds.empty() || document.transparent || builtin_gateway) {
    return std::nullopt;
  }
  std::set<std::string, std::less<>> names;
  for (const kuma::Outbound& outbound : document.outbounds) {
    names.emplace(kuma::value_of(outbound.tags, kuma::service_tag));
  }
  const std::vector<config::ServiceIndex> asked = services_of(so_far.scenario, entry);
  for (const kuma_binding::Destination& destination : so_far.mesh.destinations) {
    if (std::find(asked.begin(), asked.end(), destination.service) != asked.end()) {
      names.insert(destination.name);
    }
  }
  return names;
}

kuma::Client proxy_of(const kuma::DataplaneDocument& document, const std::string& zone) {
  kuma::Client client = kuma_binding::proxy_of(document.value, zone);
  if (document.gateway) {
    client.gateway_tags = document.gateway->tags;
    client.delegated_gateway = !document.gateway->builtin;
    client.role = document.gateway->builtin ? kuma::ProxyRole::builtin_gateway : kuma::ProxyRole::sidecar;
    client.gateway_name = std::string(kuma::value_of(document.gateway->tags, kuma::service_tag));
  }
  return client;
}

kuma::Client client_of(const KumaServices& so_far, const ClientEntry& entry) {
  const Scenario& scenario = so_far.scenario;
  const std::string& zone = scenario.zones[scenario.nodes[entry.node.value].zone.value].name;
  if (const kuma::DataplaneDocument* const document = dataplane_of(so_far, entry.name)) {
    kuma::Client client = proxy_of(*document, zone);
    client.outbounds = outbounds_of(so_far, *document, entry);
    client.outbounds_by_number = so_far.mesh.profile == config::KumaProfile::head && !document->transparent &&
                                 std::any_of(document->outbounds.begin(), document->outbounds.end(),
                                             [](const auto& outbound) { return outbound.backendRef.has_value(); });
    return client;
  }
  kuma::Client client{.name = entry.name, .zone = zone};
  kuma::Tags tags = kuma_binding::tags_of_node(scenario, entry.node);
  tags.insert(entry.tags.begin(), entry.tags.end());
  tags.try_emplace(std::string(kuma::service_tag), entry.name);
  client.labels = tags;
  client.inbounds = {std::move(tags)};
  return client;
}

// Warns of policies, items and settings that have no effect on any proxy of the mesh.
std::vector<kuma::Client> proxies_of_clients(const KumaClients& so_far) {
  std::vector<kuma::Client> proxies;
  for (const ClientEntry& entry : so_far.scenario.clients) {
    proxies.push_back(client_of(so_far, entry));
  }
  return proxies;
}

void look_for_unused_items(KumaClients& so_far) {
  std::vector<kuma::Client> proxies = proxies_of_clients(so_far);
  const bool ports_have_names = std::any_of(proxies.begin(), proxies.end(),
                                            [](const kuma::Client& client) { return !client.outbounds_by_number; });
  for (const kuma::DataplaneDocument& document : so_far.documents.dataplanes) {
    proxies.push_back(proxy_of(document, document.zone));
  }
  for (const kuma_binding::PlacedDataplane& placed : so_far.mesh.dataplanes) {
    proxies.push_back(kuma_binding::proxy_of(placed.value, so_far.scenario.zones[placed.zone.value].name));
  }
  if (!so_far.mesh.egresses.empty()) {
    proxies.push_back({.role = kuma::ProxyRole::zone_egress});
  }
  kuma_binding::warn_of_unused_items(so_far, proxies, ports_have_names);
}

// Warns of affinity keys that neither an endpoint nor a client has as a tag or label.
void look_for_affinity_keys(const KumaServices& so_far) {
  const bool tags_count = so_far.mesh.profile != config::KumaProfile::head;
  std::set<std::string, std::less<>> keys{std::string(kuma::zone_tag)};
  const auto add = [&](const kuma::Tags& tags) {
    for (const auto& [key, value] : tags) {
      keys.insert(key);
    }
  };
  std::set<std::string, std::less<>> names;
  for (const kuma_binding::PlacedDataplane& placed : so_far.mesh.dataplanes) {
    names.insert(placed.value.name);
    add(placed.value.labels);
    for (std::size_t inbound = 0; tags_count && inbound < placed.value.inbounds.size(); ++inbound) {
      add(placed.value.inbounds[inbound].tags);
    }
  }
  std::size_t dataplanes = so_far.mesh.dataplanes.size();
  for (const ClientEntry& entry : so_far.scenario.clients) {
    const kuma::Client client = client_of(so_far, entry);
    add(client.labels);
    add(client.gateway_tags);
    for (std::size_t inbound = 0; tags_count && inbound < client.inbounds.size(); ++inbound) {
      add(client.inbounds[inbound]);
    }
    dataplanes += names.contains(entry.name) ? 0 : entry.count;
  }
  kuma::lint_affinity_keys(so_far.documents, keys, dataplanes, so_far.problems);
}

// Gives one client after the other its views.
class ClientBinder {
 public:
  ClientBinder(KumaClients& so_far, const kuma_binding::Policies& policies, kuma_binding::Views& views)
      : so_far_(so_far), scenario_(so_far.scenario), policies_(policies), views_(views) {}

  void simulate(config::ClientEntryIndex index) {
    const kuma::Client client = client_of(so_far_, scenario_.clients[index.value]);
    const config::ZoneIndex zone = scenario_.nodes[scenario_.clients[index.value].node.value].zone;
    const kuma::DataplaneDocument* const document = dataplane_of(so_far_, scenario_.clients[index.value].name);
    kuma_binding::ClientRoutes routes(so_far_.mesh, policies_, views_, scenario_, client, zone, document);
    const std::size_t before = views_.hits() + views_.misses();
    static_cast<void>(views_.take_policy_trails());
    const std::vector<kuma_binding::OutboundTags> tags = outbound_tags(so_far_, scenario_.clients[index.value]);
    Workload workload = scenario_.clients[index.value].workload;
    if (workload.requests.empty()) {
      if (const auto view = routes.plain_view(workload.service, tags.front())) {
        workload.service = *view;
      } else {
        workload.requests.push_back(straight_request(scenario_, workload.service));
      }
    }
    for (std::size_t position = 0; position < workload.requests.size(); ++position) {
      RequestKind& kind = workload.requests[position];
      kind.request = routes.forwarded(std::move(kind.request), kind.route, tags[position]);
      const auto route = routes.route_of(kind.request, kind.route, tags[position]);
      warn_of_dropped(routes);
      if (!route) {
        report(routes, index);
        return;
      }
      kind.route = *route;
      workload.service = scenario_.routes[*route].clusters.front();
    }
    views_.count_alike(scenario_.clients[index.value].count - 1U, views_.hits() + views_.misses() - before);
    scenario_.clients[index.value].workload = std::move(workload);
    scenario_.clients[index.value].policy_trails = views_.take_policy_trails();
    scenario_.clients[index.value].outbounds = routes.take_outbounds();
  }

 private:
  void report(const kuma_binding::ClientRoutes& routes, config::ClientEntryIndex index) {
    so_far_.problems.error("SP633", so_far_.documents.first, "a route to nothing", "for `{}`: {}",
                           {scenario_.clients[index.value].name, routes.problem()});
  }

  void warn_of_dropped(const kuma_binding::ClientRoutes& routes) {
    for (const kuma_binding::OutboundListeners::Dropped& dropped : routes.listeners().dropped()) {
      if (dropped_.insert(dropped.text).second) {
        so_far_.problems.warning("SP633", dropped.where, "a backendRef that gets no requests", "{}", {dropped.text})
            .note("{}",
                  {so_far_.mesh.profile == config::KumaProfile::head
                       ? "the proxy answers its part of the requests with a 500"
                       : "Kuma drops it, and what is left of the rule takes its part; without anything left, what "
                         "takes the request without the rule"});
      }
    }
  }

  KumaClients& so_far_;
  Scenario& scenario_;
  const kuma_binding::Policies& policies_;
  kuma_binding::Views& views_;
  std::set<std::string> dropped_;  // already reported
};

// True if Kuma's policies weigh localities by tags for a service that this client requests.
bool has_affinity(const Scenario& scenario, const ClientEntry& client) {
  const std::vector<config::ServiceIndex> services = services_of(scenario, client);
  return std::any_of(services.begin(), services.end(), [&](config::ServiceIndex asked) {
    const std::vector<config::ServiceIndex> members = members_of(scenario, asked);
    return std::any_of(members.begin(), members.end(), [&](config::ServiceIndex service) {
      return std::holds_alternative<config::LocalityWeightedLbConfig>(
          scenario.services[service.value].cluster.common_lb_config.locality_config_specifier);
    });
  });
}

// Reports that an entry is one client to Kuma, wherever its clients run.
void report_affinity_of(Scenario& scenario) {
  for (const ClientEntry& client : scenario.clients) {
    const std::set<config::NodeIndex> nodes(client.nodes.begin(), client.nodes.end());
    if (client.count > 1 && nodes.size() > 1 && has_affinity(scenario, client)) {
      scenario.assumptions.push_back("all " + std::to_string(client.count) + " clients of " + client.name +
                                     " prefer what has the tags of node " + scenario.nodes[client.node.value].name +
                                     ", where the first of them runs: write an entry with `node` for each node");
    }
  }
}

// True if the scenario itself reports which hosts of the service are healthy or present.
bool has_reported_health(const Scenario& scenario, config::ServiceIndex service) {
  return std::any_of(scenario.changes.begin(), scenario.changes.end(),
                     [&](const Change& change) { return is_about<EdsHealth, EdsMembership>(change, service); });
}

// Warns of priorities of MeshExternalServices that no proxy ever leaves, since nothing detects a dead endpoint.
void lint_external_priorities(KumaClients& so_far) {
  const Scenario& scenario = so_far.scenario;
  std::set<std::string> named;
  for (const ClientEntry& proxy : scenario.clients) {
    for (const config::ServiceIndex index : proxy.forwards) {
      const Service& view = scenario.services[index.value];
      const auto destination = std::find_if(so_far.mesh.destinations.begin(), so_far.mesh.destinations.end(),
                                            [&](const kuma_binding::Destination& known) {
                                              return known.model == kuma::DestinationModel::mesh_external_service &&
                                                     view.as_view && known.service == view.as_view->of;
                                            });
      const auto& groups = view.load_assignment.endpoints;
      const bool has_several = std::any_of(groups.begin(), groups.end(), [&](const config::LocalityLbEndpoints& group) {
        return group.priority != groups.front().priority;
      });
      if (destination == so_far.mesh.destinations.end() || !has_several || view.cluster.outlier_detection ||
          !view.cluster.health_checks.empty() || has_reported_health(scenario, index) ||
          !named.insert(destination->name).second) {
        continue;
      }
      for (const auto& document : so_far.documents.mesh_external_services) {
        if (document.value.name == destination->name) {
          so_far.problems
              .warning("SP617", document.origin.where, "priorities that never fail over",
                       "no MeshCircuitBreaker and no MeshHealthCheck finds out that an endpoint is dead")
              .help("give it outlier detection (MeshCircuitBreaker) or active checks (MeshHealthCheck)");
        }
      }
    }
  }
}

}  // namespace

KumaClients lead_kuma_clients(Timeline timeline) {
  KumaClients so_far{std::move(timeline)};
  if (so_far.documents.empty() || has_errors(so_far.problems)) {
    return so_far;
  }
  Joiner(so_far, so_far.file.services->size()).join();
  look_for_affinity_keys(so_far);
  kuma_binding::refuse_settings_beside(so_far);
  kuma_binding::check_zones_of_clients(so_far);
  kuma_binding::check_inbound_policies(so_far, proxies_of_clients(so_far));
  look_for_unused_items(so_far);
  const kuma_binding::Policies policies =
      kuma_binding::policies_of(so_far.documents, so_far.mesh.mesh.name, so_far.mesh.profile);
  kuma_binding::Views views(so_far.mesh, policies, so_far.scenario);
  ClientBinder simulator(so_far, policies, views);
  const auto clients = static_cast<std::uint32_t>(so_far.scenario.clients.size());
  for (std::uint32_t client = 0; client < clients; ++client) {
    simulator.simulate({client});
  }
  views.follow_changes();
  so_far.scenario.cla_cache = {views.hits(), views.misses()};
  so_far.scenario.mesh_without_mtls = !so_far.mesh.mesh.mtls;
  so_far.scenario.egress_designs = views.egress_designs().rows(so_far.scenario.zones);
  report_affinity_of(so_far.scenario);
  lint_external_priorities(so_far);
  so_far.setting_places = views.take_setting_places();
  const Diagnostics refused = views.take_refusals();
  so_far.problems.insert(so_far.problems.end(), refused.begin(), refused.end());
  return so_far;
}

}  // namespace spillway::scenario::binding
