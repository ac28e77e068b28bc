#include "sim/scenario/binding/istio/proxy_view.hpp"

#include <set>
#include <utility>

#include "models/istio/documents/documents.hpp"
#include "models/istio/lint_parts.hpp"
#include "models/istio/visibility.hpp"
#include "models/kuma/documents/field_path.hpp"
#include "sim/scenario/binding/istio/mesh_files.hpp"

namespace spillway::scenario::istio_binding {

namespace {

using Part = ProxyView::Part;

// Returns the block of a policy that sets the part.
const char* policy_block_of(Part part) {
  switch (part) {
    case Part::balancer:
      return "loadBalancer";
    case Part::locality:
      return "loadBalancer.localityLbSetting";
    case Part::outlier_detection:
      return "outlierDetection";
    case Part::pool:
      return "connectionPool";
    case Part::subset:
    case Part::endpoints:
      break;
  }
  return "";
}

bool says_part(const istio::TrafficPolicy& policy, Part part) {
  const auto& balancer = policy.loadBalancer;
  switch (part) {
    case Part::balancer:
      return balancer.has_value();
    case Part::locality:
      return balancer && (balancer->localityLbSetting || balancer->zoneAwareLbSetting);
    case Part::outlier_detection:
      return policy.outlierDetection.has_value();
    case Part::pool:
      return policy.connectionPool.has_value() || policy.retryBudget.has_value();
    case Part::subset:
    case Part::endpoints:
      break;
  }
  return false;
}

std::string document_name(const istio::Origin& origin) {
  return origin.meta.kind + " " + origin.meta.name_space + "/" + origin.meta.name;
}

}  // namespace

ProxyView::ProxyView(const MeshFiles& mesh, const istio::Proxy& proxy)
    : mesh_(&mesh),
      proxy_(istio::known(proxy, mesh.documents.value)),
      rules_(mesh.documents.value.destination_rules, mesh.documents.value.mesh) {
  const istio::Documents& documents = mesh.documents.value;
  std::set<std::string> hosts;
  for (const istio::Service& listed : mesh.registry.services) {
    const istio::Service* const service =
        hosts.insert(listed.hostname).second ? istio::visible_service(documents, mesh.registry, proxy_, listed.hostname)
                                             : nullptr;
    if (service == nullptr) {
      continue;
    }
    const auto found = rules_.find(proxy_, service->hostname, service->name_space);
    for (const istio::ServicePort& port : service->ports) {
      if (istio::visible_service(documents, mesh.registry, proxy_, listed.hostname, port.number) == nullptr) {
        continue;
      }
      try {
        for (istio::Cluster& made : istio::clusters_of({.documents = &documents,
                                                        .proxy = &proxy_,
                                                        .service = service,
                                                        .port = port.number,
                                                        .rule = found.rule == nullptr ? nullptr : &found.rule->rule})) {
          clusters_.push_back({std::move(made), service, port.number, found});
        }
      } catch (const istio::IstiodPanics& panic) {
        problems_.push_back(service->hostname + ": " + panic.what());
        continue;
      }
      if ((istio::is_http(port.protocol) || port.protocol == istio::Protocol::tcp) &&
          istio::requested_service(documents, mesh.registry, proxy_, listed.hostname, port.number) != nullptr) {
        route_tables_.push_back({service->hostname, port.number,
                                 istio::routes_of({.documents = &documents,
                                                   .registry = &mesh.registry,
                                                   .rules = &rules_,
                                                   .proxy = &proxy_,
                                                   .service = service,
                                                   .port = port.number})});
      }
    }
  }
}

ProxyView::Origin ProxyView::source_of(const Cluster& cluster, Part part) const {
  const istio::LocatedDocuments& documents = mesh_->documents;
  if (part == Part::endpoints) {
    return {cluster.service->kind + " " + cluster.service->name_space + "/" + cluster.service->name, std::nullopt};
  }
  const bool by_others = part == Part::locality && cluster.made.assignment &&
                         cluster.made.assignment->setting.source != istio::SettingSource::rule;
  if (cluster.found.rule != nullptr && !by_others) {
    const istio::Origin& rule = documents.rules[cluster.found.rule->from.front()];
    if (part == Part::subset) {
      return {document_name(rule), rule.where};
    }
    std::string path;
    for (const istio::PolicySite& site : istio::sites_of(cluster.found.rule->rule)) {
      if (says_part(*site.own, part) && (site.subset.empty() || site.subset == cluster.made.subset) &&
          (site.port == 0 || site.port == cluster.port)) {
        path = site.path + "." + policy_block_of(part);
      }
    }
    if (!path.empty()) {
      return {document_name(rule), kuma::place_of(*rule.node, path)};
    }
  }
  if (part == Part::locality && cluster.made.assignment &&
      cluster.made.assignment->setting.source == istio::SettingSource::traffic_distribution) {
    return {"the traffic distribution of " + cluster.service->kind + " " + cluster.service->name_space + "/" +
                cluster.service->name,
            std::nullopt};
  }
  const istio::MeshConfig& mesh = documents.value.mesh;
  const bool by_mesh = (part == Part::outlier_detection && mesh.defaultTrafficPolicy.outlierDetection) ||
                       (part == Part::pool && mesh.defaultTrafficPolicy.connectionPool) || part == Part::locality;
  if (const auto written = documents.by_age.find(0); by_mesh && written != documents.by_age.end()) {
    return {"the mesh's configuration", written->second.where};
  }
  return {"istiod's default", std::nullopt};
}

ProxyView::Origin ProxyView::source_of(const RouteTable& table) const {
  const auto& all = mesh_->documents.value.virtual_services;
  if (table.routes.virtual_service == nullptr) {
    return {"no VirtualService", std::nullopt};
  }
  const auto& origin =
      mesh_->documents.virtual_services[static_cast<std::size_t>(table.routes.virtual_service - all.data())];
  return {document_name(origin), origin.where};
}

}  // namespace spillway::scenario::istio_binding
