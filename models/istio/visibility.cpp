#include "models/istio/visibility.hpp"

#include <algorithm>
#include <cstddef>

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
    return left != nullptr && left->meta.age <= right.meta.age ? left : &right;
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

bool imports(const Sidecar::Listener& listener, const std::string& client, const std::string& name_space,
             const std::string& hostname) {
  bool found = false;
  for (const std::string& written : listener.hosts) {
    const EgressHost entry = egress_host(written, client);
    if ((entry.name_space == "*" || entry.name_space == name_space) && host_matches(hostname, entry.host)) {
      if (entry.excluded) {
        return false;
      }
      found = true;
    }
  }
  return found;
}

}  // namespace

bool is_imported(const Sidecar* sidecar, const std::string& client, const std::string& name_space,
                 const std::string& hostname) {
  return sidecar == nullptr || sidecar->egress.empty() ||
         std::any_of(sidecar->egress.begin(), sidecar->egress.end(), [&](const Sidecar::Listener& listener) {
           return imports(listener, client, name_space, hostname);
         });
}

namespace {

// `port`: of one with this port alone; 0: whichever.
const Service* visible_with(const Documents& documents, const Registry& registry, const Proxy& proxy,
                            const std::string& hostname, std::uint32_t port) {
  const Sidecar* const sidecar = sidecar_of(documents, proxy);
  const Service* first = nullptr;
  for (const Service* const service : registry.of_host(hostname)) {
    if ((port != 0 && service->port(port) == nullptr) ||
        !is_exported(service->export_to, service->name_space, proxy.name_space) ||
        !is_imported(sidecar, proxy.name_space, service->name_space, hostname)) {
      continue;
    }
    if (service->name_space == proxy.name_space) {
      return service;
    }
    first = first == nullptr ? service : first;
  }
  return first;
}

}  // namespace

const Service* visible_service(const Documents& documents, const Registry& registry, const Proxy& proxy,
                               const std::string& hostname) {
  return visible_with(documents, registry, proxy, hostname, 0);
}

const Service* visible_service(const Documents& documents, const Registry& registry, const Proxy& proxy,
                               const std::string& hostname, std::uint32_t port) {
  const Service* const found = visible_with(documents, registry, proxy, hostname, port);
  return found != nullptr ? found : visible_with(documents, registry, proxy, hostname, 0);
}

}  // namespace spillway::istio
