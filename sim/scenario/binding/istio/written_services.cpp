// Services that a scenario writes itself and Istio's rules name: they become services of the mesh, with one port, whose
// endpoints are those of the file.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/config/each_endpoint.hpp"
#include "models/documents/grammar/suggestion.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/routes/address.hpp"
#include "models/istio/names.hpp"
#include "sim/scenario/binding/istio/istio_mesh.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/messages/traffic.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::binding {

namespace {

constexpr std::string_view cluster_domain = ".svc.cluster.local";
constexpr const char* port_name = "http";
constexpr std::uint32_t port_of_http = 80;

// The hosts that rules of the documents name: those of DestinationRules, of VirtualServices and of their destinations.
class NamedHosts {
 public:
  explicit NamedHosts(const istio::Documents& documents) {
    for (const istio::DestinationRule& rule : documents.destination_rules) {
      hosts_.insert(istio::resolve_short_name(rule.host, rule.meta.name_space));
    }
    for (const istio::VirtualService& routes : documents.virtual_services) {
      const auto add = [&](const std::string& host) {
        hosts_.insert(istio::resolve_short_name(host, routes.meta.name_space));
      };
      std::for_each(routes.hosts.begin(), routes.hosts.end(), add);
      for_each_destination(routes, [&](const istio::Destination& destination) { add(destination.host); });
    }
  }

  template <class Use>
  static void for_each_destination(const istio::VirtualService& routes, const Use& use) {
    const auto use_all = [&](const auto& list) {
      for (const auto& route : list) {
        for (const istio::RouteDestination& to : route.route) {
          use(to.destination);
        }
      }
    };
    use_all(routes.http);
    use_all(routes.tcp);
  }

  // Returns the hosts that a service of this name may be; several if rules of several namespaces name it.
  [[nodiscard]] std::set<std::string> meant_by(const std::string& name) const {
    std::set<std::string> found;
    for (const std::string& full : {name, name + std::string(cluster_domain)}) {
      if (name.find('.') != std::string::npos && is_named(full)) {
        return {full};
      }
    }
    std::set<std::string> by_wildcards;
    for (const std::string& host : hosts_) {
      const std::string_view end = host;
      if (!end.ends_with(cluster_domain) || name.find('.') != std::string::npos) {
        continue;
      }
      // The host is "NAME.NAMESPACE.svc.cluster.local", or has "*" in place of the name.
      const std::size_t dot = host.find('.');
      const std::string first = host.substr(0, dot);
      const bool has_namespace = host.find('.', dot + 1) == host.size() - cluster_domain.size();
      if (has_namespace && first == name) {
        found.insert(host);
      } else if (has_namespace && first == "*") {
        by_wildcards.insert(name + host.substr(dot));
      }
    }
    if (!found.empty() || !by_wildcards.empty()) {
      return found.empty() ? by_wildcards : found;
    }
    const std::string in_default = istio::resolve_short_name(name, "default");
    return is_named(in_default) ? std::set{in_default} : found;
  }

 private:
  [[nodiscard]] bool is_named(const std::string& host) const {
    return std::any_of(hosts_.begin(), hosts_.end(),
                       [&](const std::string& named) { return istio::host_matches(host, named); });
  }

  std::set<std::string> hosts_;
};

std::string namespace_of(const std::string& host) {
  if (!host.ends_with(cluster_domain)) {
    return "default";
  }
  const std::size_t dot = host.find('.');
  return host.substr(dot + 1, host.size() - cluster_domain.size() - dot - 1);
}

class WrittenServices {
 public:
  explicit WrittenServices(MeshServices& so_far)
      : so_far_(so_far), mesh_(so_far.istio), hosts_(so_far.istio.documents.value) {}

  void add() {
    const auto& written = so_far_.file.services.value;
    for (std::uint32_t index = 0; index < written.size() && index < so_far_.scenario.services.size(); ++index) {
      if (written[index].value.name && !so_far_.scenario.services[index].hosts.empty()) {
        add(index, written[index].value);
      }
    }
  }

 private:
  void add(std::uint32_t index, const messages::Service& written) {
    const std::set<std::string> meant = hosts_.meant_by(*written.name);
    if (meant.empty() || mesh_.registry.by_host.contains(*meant.begin())) {
      return;
    }
    if (meant.size() > 1) {
      refuse(written.name.where,
             "rules name it in several namespaces: " + grammar::listed(std::vector(meant.begin(), meant.end()), "and"))
          .helps.push_back("write the namespace in its name: `" + *written.name + ".NAMESPACE`");
      return;
    }
    if (!has_own_settings(*written.name, written)) {
      add(index, *meant.begin());
    }
  }

  Diagnostic& refuse(Span where, const std::string& label) {
    so_far_.problems.error("SP644", where, "a service that Istio's rules cannot take as it is written", "{}", {label});
    return so_far_.problems.back();
  }

  // Reports settings that istiod's clusters and load assignments cannot have.
  bool has_own_settings(const std::string& name, const messages::Service& written) {
    const std::size_t before = so_far_.problems.size();
    constexpr const char* help = "write it in the DestinationRule, or take the rules out of `resources`";
    for (const auto& cluster : so_far_.file.clusters.value) {
      if (cluster->name && *cluster->name == name) {
        refuse(cluster->name.where, "Istio's rules make the whole cluster of " + in_ticks(name))
            .helps.emplace_back(help);
      }
    }
    for (const auto& assignment : so_far_.file.load_assignments.value) {
      if (assignment->cluster_name && *assignment->cluster_name == name) {
        refuse(assignment->cluster_name.where, "Istio's rules make the load assignment of " + in_ticks(name))
            .helps.emplace_back(help);
      }
    }
    for (const auto& group : written.endpoints.value) {
      if (group->priority) {
        refuse(group->priority.where, "Istio's rules make the priorities of " + in_ticks(name))
            .helps.emplace_back(help);
      }
    }
    for (const auto& event : so_far_.file.timeline.value) {
      const bool is_its = !event->service || *event->service == name;
      if (is_its && !event->add.value.groups.empty()) {
        refuse(event.where, "endpoints that come later are not supported yet in a service that Istio's rules act on")
            .helps.emplace_back("write them in `services`, remove them at 0 s, and add them again at this time");
      }
    }
    return so_far_.problems.size() > before;
  }

  void add(std::uint32_t index, const std::string& host) {
    const scenario::Service& from = so_far_.scenario.services[index];
    const std::uint32_t port = port_of(host);
    istio::Service made{.hostname = host, .name_space = namespace_of(host), .kind = "service", .name = from.name};
    made.ports = {{port_name, port, is_tcp(host) ? istio::Protocol::tcp : istio::Protocol::http}};
    made.own_ports = 1;
    config::for_each_endpoint(from.load_assignment, [&](config::HostIndex of, const auto& endpoint, const auto& in) {
      const config::EndpointIndex at = from.hosts[of.value].endpoint;
      made.endpoints.push_back(endpoint_of(from.name, endpoint, in.locality, at, port));
      const istio::Endpoint& last = made.endpoints.back();
      mesh_.by_address.emplace(istio::address_text(last.address, last.port), at);
    });
    mesh_.destinations.push_back({{index}, mesh_.registry.services.size(), port});
    mesh_.registry.by_host[host].push_back(mesh_.registry.services.size());
    mesh_.registry.services.push_back(std::move(made));
  }

  [[nodiscard]] istio::Endpoint endpoint_of(const std::string& service, const config::LbEndpoint& from,
                                            const config::Locality& place, config::EndpointIndex index,
                                            std::uint32_t port) const {
    const Endpoint& known = so_far_.scenario.endpoints[index.value];
    const std::string& cluster = mesh_.documents.value.clusters.front().name;
    istio::Endpoint made{.address = from.address, .port = port, .port_name = port_name};
    if (const auto address = envoy::routes::parse_ip_address(from.address)) {
      made.address = address->ip;
      made.port = address->port;
    }
    made.locality = place.region.empty() && place.zone.empty() && place.sub_zone.empty()
                        ? ""
                        : place.region + "/" + place.zone + "/" + place.sub_zone;
    made.node = so_far_.scenario.nodes[known.node.value].name;
    made.labels = istio::augmented(known.tags, cluster, made.locality, made.node, "");
    made.weight = from.load_balancing_weight;
    made.health = from.health_status == config::HealthStatus::healthy ? istio::EndpointHealth::healthy
                                                                      : istio::EndpointHealth::unhealthy;
    made.cluster = cluster;
    made.source = "service " + service;
    return made;
  }

  // Returns the port that destinations name, else that of HTTP.
  [[nodiscard]] std::uint32_t port_of(const std::string& host) const {
    std::optional<std::uint32_t> named;
    for (const istio::VirtualService& routes : mesh_.documents.value.virtual_services) {
      NamedHosts::for_each_destination(routes, [&](const istio::Destination& destination) {
        if (!named && istio::resolve_short_name(destination.host, routes.meta.name_space) == host) {
          named = destination.port;
        }
      });
    }
    return named.value_or(port_of_http);
  }

  // True if its VirtualServices have only TCP routes.
  [[nodiscard]] bool is_tcp(const std::string& host) const {
    const auto& all = mesh_.documents.value.virtual_services;
    return std::any_of(all.begin(), all.end(), [&](const istio::VirtualService& routes) {
      return routes.http.empty() && !routes.tcp.empty() &&
             std::any_of(routes.hosts.begin(), routes.hosts.end(), [&](const std::string& named) {
               return istio::host_matches(host, istio::resolve_short_name(named, routes.meta.name_space));
             });
    });
  }

  MeshServices& so_far_;
  istio_binding::IstioMesh& mesh_;
  NamedHosts hosts_;
};

}  // namespace

void take_written_services(MeshServices& so_far) {
  WrittenServices(so_far).add();
}

}  // namespace spillway::scenario::binding
