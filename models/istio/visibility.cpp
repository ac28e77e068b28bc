#include "models/istio/visibility.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>

namespace spillway::istio {

bool is_exported(const std::vector<std::string>& export_to, const std::string& owner, const std::string& client) {
  return export_to.empty() || std::any_of(export_to.begin(), export_to.end(), [&](const std::string& name_space) {
           return name_space == "*" || name_space == client || (name_space == "." && owner == client);
         });
}

const Sidecar* sidecar_of(const Documents& documents, const Proxy& proxy) {
  const Sidecar* of_namespace = nullptr;
  const Sidecar* of_root = nullptr;
  const Sidecar* selected = nullptr;
  const auto older = [](const Sidecar* left, const Sidecar& right) {
    return left != nullptr && !is_older(right.meta, left->meta) ? left : &right;
  };
  for (const Sidecar& sidecar : documents.sidecars) {
    const bool own = sidecar.meta.name_space == proxy.name_space;
    if (own && sidecar.workloadSelector && has_all(proxy.labels, *sidecar.workloadSelector)) {
      selected = older(selected, sidecar);
    } else if (own && !sidecar.workloadSelector) {
      of_namespace = older(of_namespace, sidecar);
    } else if (sidecar.meta.name_space == documents.mesh.rootNamespace && !sidecar.workloadSelector) {
      of_root = older(of_root, sidecar);
    }
  }
  if (selected != nullptr) {
    return selected;
  }
  return of_namespace != nullptr ? of_namespace : of_root;
}

namespace {

// An entry of a listener's hosts, "namespace/host".
struct EgressHost {
  std::string name_space = {};
  std::string host = {};
  bool excluded = false;
};

EgressHost egress_host(const std::string& written, const std::string& client) {
  const std::size_t slash = written.find('/');
  EgressHost entry{written.substr(0, slash), slash == std::string::npos ? "" : written.substr(slash + 1)};
  entry.excluded = entry.name_space.starts_with('~');
  if (entry.excluded) {
    entry.name_space.erase(0, 1);
    entry.name_space = entry.name_space.empty() ? "*" : entry.name_space;
  }
  entry.name_space = entry.name_space == "." ? client : entry.name_space;
  return entry;
}

// True if the listener imports the host. With `both_ways` one host of `*.example` also names `*.example`, as in istiod
// for VirtualServices.
bool imports(const Sidecar::Listener& listener, const std::string& client, const std::string& name_space,
             const std::string& hostname, bool both_ways = false) {
  bool found = false;
  for (const std::string& written : listener.hosts) {
    const EgressHost entry = egress_host(written, client);
    if (entry.name_space != "*" && entry.name_space != name_space) {
      continue;
    }
    const bool within = host_matches(hostname, entry.host);
    if (entry.excluded && within) {
      return false;
    }
    found = found || (!entry.excluded && (within || (both_ways && host_matches(entry.host, hostname))));
  }
  return found;
}

// True if the listener imports any host of the VirtualService.
bool imports(const Sidecar::Listener& listener, const std::string& client, const VirtualService& routes) {
  const std::string& owner = routes.meta.name_space;
  return std::any_of(routes.hosts.begin(), routes.hosts.end(), [&](const std::string& written) {
    return imports(listener, client, owner, resolve_short_name(written, owner), true);
  });
}

// Returns the effective listener for requests on a port: the port's own, else one without a port; null if there is
// none.
const Sidecar::Listener* listener_of(const Sidecar& sidecar, std::uint32_t port) {
  const auto found = std::find_if(sidecar.egress.begin(), sidecar.egress.end(), [&](const auto& listener) {
    return !listener.port || (port != 0 && listener.port->number == port);
  });
  return found == sidecar.egress.end() ? nullptr : &*found;
}

// True if services are visible only with the listener's own port. False for an HTTP proxy or a socket.
bool keeps_one_port(const Sidecar::Listener& listener) {
  const auto is_proxy = [](const std::string& protocol) {
    constexpr std::string_view name = "HTTP_PROXY";
    return protocol.size() == name.size() && std::equal(name.begin(), name.end(), protocol.begin(), [](char l, char r) {
             return l == (r >= 'a' && r <= 'z' ? static_cast<char>(r - 'a' + 'A') : r);
           });
  };
  return listener.port && listener.port->number != 0 && !is_proxy(listener.port->protocol);
}

using Ports = std::set<std::uint32_t>;

// True if a listener leaves a service its port, or any port if `port` is 0. `named` are ports that routes name; 0 means
// all.
bool leaves_port(const Sidecar::Listener& listener, const Service& service, std::uint32_t port, const Ports& named) {
  const auto wanted = [&](std::uint32_t number) {
    return (port == 0 || port == number) && service.port(number) != nullptr;
  };
  if (keeps_one_port(listener)) {
    return wanted(listener.port->number);
  }
  if (named.contains(0)) {
    return port == 0 || wanted(port);
  }
  return std::any_of(named.begin(), named.end(), wanted);
}

// Returns the ports of a host that routes name, 0 if they name no port. Routes for clients of other namespaces are left
// out.
Ports ports_named(const VirtualService& routes, const std::string& client, const std::string& hostname) {
  Ports ports;
  const auto add = [&](const Destination& destination) {
    if (resolve_short_name(destination.host, routes.meta.name_space) == hostname) {
      ports.insert(destination.port.value_or(0));
    }
  };
  for (const HttpRoute& http : routes.http) {
    const auto is_for = [&](const HttpMatchRequest& match) { return match.sourceNamespace == client; };
    const auto is_for_one = [](const HttpMatchRequest& match) { return !match.sourceNamespace.empty(); };
    if (std::any_of(http.match.begin(), http.match.end(), is_for_one) &&
        std::none_of(http.match.begin(), http.match.end(), is_for)) {
      continue;
    }
    for (const RouteDestination& route : http.route) {
      add(route.destination);
    }
    for (const Mirror& mirror : http.mirrors) {
      add(mirror.destination);
    }
  }
  for (const TcpRoute& tcp : routes.tcp) {
    for (const RouteDestination& route : tcp.route) {
      add(route.destination);
    }
  }
  return ports;
}

// Returns the service that a route's destination means: the client's own, else one of Kubernetes, else the oldest.
const Service* meant_by_routes(const Registry& registry, const Proxy& proxy, const std::string& hostname) {
  const Service* best = nullptr;
  for (const Service* const service : registry.of_host(hostname)) {
    if (service->name_space == proxy.name_space) {
      return service;
    }
    if (is_exported(service->export_to, service->name_space, proxy.name_space) &&
        (best == nullptr || (best->kind != "Service" && service->kind == "Service"))) {
      best = service;
    }
  }
  return best;
}

// Returns a service that no listener names but an imported VirtualService routes to; null if there is none.
const Service* brought_by_routes(const Documents& documents, const Registry& registry, const Proxy& proxy,
                                 const Sidecar& sidecar, const std::string& hostname, std::uint32_t port) {
  const Service* const service = meant_by_routes(registry, proxy, hostname);
  if (service == nullptr) {
    return nullptr;
  }
  for (const VirtualService& routes : documents.virtual_services) {
    if (!is_of_sidecars(routes) || !is_exported(routes.exportTo, routes.meta.name_space, proxy.name_space)) {
      continue;
    }
    const Ports named = ports_named(routes, proxy.name_space, hostname);
    if (!named.empty() &&
        std::any_of(sidecar.egress.begin(), sidecar.egress.end(), [&](const Sidecar::Listener& listener) {
          return imports(listener, proxy.name_space, routes) && leaves_port(listener, *service, port, named);
        })) {
      return service;
    }
  }
  return nullptr;
}

// Returns the client's own service, else the first of the others, among those with a port left by a listener. With a
// port that is not 0, returns null if the service is not visible with it. `leaves(service, port)` tests the listeners
// in question.
template <class Leaves>
const Service* first_seen(const Registry& registry, const Proxy& proxy, const std::string& hostname, std::uint32_t port,
                          const Leaves& leaves) {
  const Service* first = nullptr;
  for (const Service* const service : registry.of_host(hostname)) {
    if (!is_exported(service->export_to, service->name_space, proxy.name_space) || !leaves(*service, 0)) {
      continue;
    }
    if (service->name_space == proxy.name_space) {
      first = service;
      break;
    }
    first = first == nullptr ? service : first;
  }
  const bool has_port = first != nullptr && (port == 0 || (first->port(port) != nullptr && leaves(*first, port)));
  return has_port ? first : nullptr;
}

// Returns the visible service; null if it is not visible with `port`. 0 means any port.
const Service* visible_with(const Documents& documents, const Registry& registry, const Proxy& proxy,
                            const std::string& hostname, std::uint32_t port) {
  const Sidecar* const sidecar = sidecar_of(documents, proxy);
  const bool all = sidecar == nullptr || sidecar->egress.empty();
  const Service* const named =
      first_seen(registry, proxy, hostname, port, [&](const Service& service, std::uint32_t number) {
        return all ||
               std::any_of(sidecar->egress.begin(), sidecar->egress.end(), [&](const Sidecar::Listener& listener) {
                 return imports(listener, proxy.name_space, service.name_space, hostname) &&
                        leaves_port(listener, service, number, {0});
               });
      });
  return named != nullptr || all ? named : brought_by_routes(documents, registry, proxy, *sidecar, hostname, port);
}

}  // namespace

bool is_of_sidecars(const VirtualService& routes) {
  return routes.gateways.empty() ||
         std::find(routes.gateways.begin(), routes.gateways.end(), "mesh") != routes.gateways.end();
}

bool is_imported(const Sidecar* sidecar, const std::string& client, const VirtualService& routes, std::uint32_t port) {
  if (sidecar == nullptr || sidecar->egress.empty()) {
    return true;
  }
  if (port == 0) {
    return std::any_of(sidecar->egress.begin(), sidecar->egress.end(),
                       [&](const Sidecar::Listener& listener) { return imports(listener, client, routes); });
  }
  const Sidecar::Listener* const listener = listener_of(*sidecar, port);
  return listener != nullptr && imports(*listener, client, routes);
}

const Service* requested_service(const Documents& documents, const Registry& registry, const Proxy& proxy,
                                 const std::string& hostname, std::uint32_t port) {
  const Sidecar* const sidecar = sidecar_of(documents, proxy);
  if (sidecar == nullptr || sidecar->egress.empty()) {
    const Service* const seen = visible_service(documents, registry, proxy, hostname, port);
    return seen != nullptr && seen->port(port) != nullptr ? seen : nullptr;
  }
  const Sidecar::Listener* const listener = listener_of(*sidecar, port);
  const auto leaves = [&](const Service& service, std::uint32_t number) {
    return imports(*listener, proxy.name_space, service.name_space, hostname) &&
           leaves_port(*listener, service, number, {0});
  };
  return listener == nullptr ? nullptr : first_seen(registry, proxy, hostname, port, leaves);
}

const Service* visible_service(const Documents& documents, const Registry& registry, const Proxy& proxy,
                               const std::string& hostname) {
  return visible_with(documents, registry, proxy, hostname, 0);
}

const Service* visible_service(const Documents& documents, const Registry& registry, const Proxy& proxy,
                               const std::string& hostname, std::uint32_t port) {
  const Service* const found = visible_with(documents, registry, proxy, hostname, port);
  const Service* const other = found != nullptr ? found : visible_with(documents, registry, proxy, hostname, 0);
  // A service whose port no listener leaves is not visible with that port.
  return other != nullptr && found == nullptr && other->port(port) != nullptr ? nullptr : other;
}

}  // namespace spillway::istio
