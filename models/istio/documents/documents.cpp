#include "models/istio/documents/documents.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <variant>

#include "models/documents/problem.hpp"
#include "models/istio/messages/document.hpp"
#include "models/istio/names.hpp"
#include "models/istio/proxy.hpp"
#include "models/kuma/documents/field_path.hpp"

namespace spillway::istio {

namespace {

using documents::Member;
using documents::Node;

const Node* value_at(const Node& node, std::initializer_list<const char*> path) {
  const Node* at = &node;
  for (const char* const key : path) {
    const Member* const found = at == nullptr ? nullptr : at->find(key);
    at = found == nullptr ? nullptr : &found->value;
  }
  return at;
}

// True if a patch applies to clients. A patch without a context applies everywhere.
bool is_at_clients(const Node& patch) {
  const Node* const context = value_at(patch, {"match", "context"});
  return context == nullptr || context->text == "ANY" || context->text == "SIDECAR_OUTBOUND";
}

// Reads an EnvoyFilter. With `targetRefs` it applies to gateways and waypoints.
EnvoyFilter filter_in(const Node& document, Origin origin) {
  EnvoyFilter filter{.origin = std::move(origin)};
  if (const Node* const labels = value_at(document, {"spec", "workloadSelector", "labels"})) {
    for (const Member& label : labels->members) {
      filter.selector.emplace(label.key, label.value.text);
    }
  }
  const Node* const patches = value_at(document, {"spec", "configPatches"});
  const bool of_gateways = value_at(document, {"spec", "targetRefs"}) != nullptr;
  filter.at_clients =
      !of_gateways && patches != nullptr && std::any_of(patches->items.begin(), patches->items.end(), is_at_clients);
  return filter;
}

class Adder {
 public:
  Adder(const messages::IstioDocument& document, const std::string& cluster, LocatedDocuments& documents)
      : document_(document), cluster_(cluster), documents_(documents) {}

  void operator()(std::monostate /*passed_over*/) {
    if (document_.meta.kind == "EnvoyFilter") {
      documents_.filters.push_back(filter_in(*document_.node, origin()));
    }
  }
  void operator()(istio::KubernetesService body) { cluster().services.push_back(aged(std::move(body))); }
  void operator()(istio::EndpointSlice body) {
    cluster().slices.push_back(aged(std::move(body)));
    keep_origin();
  }
  void operator()(istio::Pod body) { cluster().pods.push_back(aged(std::move(body))); }
  void operator()(istio::Node body) { cluster().nodes.push_back(aged(std::move(body))); }
  void operator()(istio::Namespace body) { cluster().namespaces.push_back(aged(std::move(body))); }
  void operator()(istio::WorkloadEntry body) {
    documents_.value.workload_entries.push_back(aged(std::move(body)));
    keep_origin();
  }
  void operator()(istio::Sidecar body) {
    if (admit(istio::validate(body))) {
      documents_.value.sidecars.push_back(aged(std::move(body)));
    }
  }
  void operator()(const messages::IstioOperator& body) {
    std::vector<istio::Finding> findings = istio::validate(body.mesh);
    for (istio::Finding& finding : findings) {
      finding.path.insert(0, document_.meta.kind == "ConfigMap" ? "data.mesh." : "spec.meshConfig.");
    }
    admit(std::move(findings));
    documents_.value.mesh = body.mesh;
    documents_.value.networks = body.networks;
    documents_.value.environment = body.environment;
    documents_.by_age.insert_or_assign(0, origin());
  }
  void operator()(istio::ServiceEntry body) {
    for (istio::WorkloadEntry& endpoint : body.endpoints) {
      endpoint.meta = document_.meta;
    }
    if (admit(istio::validate(body))) {
      documents_.value.service_entries.push_back(aged(std::move(body)));
    }
  }
  void operator()(istio::DestinationRule body) {
    if (admit(istio::validate(body))) {
      documents_.value.destination_rules.push_back(aged(std::move(body)));
      documents_.rules.push_back(origin());
      keep_origin();
    }
  }
  void operator()(istio::VirtualService body) {
    if (admit(istio::validate(body))) {
      documents_.value.virtual_services.push_back(aged(std::move(body)));
      documents_.virtual_services.push_back(origin());
      keep_origin();
    }
  }

 private:
  template <class Body>
  Body aged(Body body) const {
    body.meta.age = documents_.count;
    return body;
  }

  void keep_origin() { documents_.by_age.emplace(documents_.count, origin()); }

  [[nodiscard]] Origin origin() const { return {document_.where, document_.node, document_.meta}; }

  bool admit(std::vector<istio::Finding> findings) {
    const bool admitted = !istio::is_refused(findings);
    if (!findings.empty()) {
      documents_.admitted.push_back({origin(), std::move(findings)});
    }
    return admitted;
  }

  istio::KubernetesCluster& cluster() {
    auto& clusters = documents_.value.clusters;
    const auto found = std::find_if(clusters.begin(), clusters.end(),
                                    [&](const istio::KubernetesCluster& known) { return known.name == cluster_; });
    return found != clusters.end() ? *found : clusters.emplace_back(istio::KubernetesCluster{.name = cluster_});
  }

  const messages::IstioDocument& document_;
  const std::string& cluster_;
  LocatedDocuments& documents_;
};

}  // namespace

void add_document(const messages::IstioDocument& document, const std::string& cluster, LocatedDocuments& documents) {
  ++documents.count;
  if (document.clean) {
    std::visit(Adder(document, cluster, documents), document.body);
  }
}

std::optional<std::string> replace_rule(const messages::IstioDocument& document, LocatedDocuments& documents) {
  const auto* const written = std::get_if<istio::DestinationRule>(&document.body);
  if (written == nullptr || !document.clean) {
    return std::nullopt;
  }
  auto& rules = documents.value.destination_rules;
  const auto is_same = [&](const istio::DestinationRule& known) {
    return known.meta.name_space == document.meta.name_space && known.meta.name == document.meta.name;
  };
  const auto known = std::find_if(rules.begin(), rules.end(), is_same);
  std::vector<istio::Finding> findings = istio::validate(*written);
  if (known == rules.end() || std::count_if(rules.begin(), rules.end(), is_same) != 1 || istio::is_refused(findings) ||
      known->host != written->host || known->exportTo != written->exportTo ||
      known->workloadSelector != written->workloadSelector) {
    return std::nullopt;
  }
  Origin& origin = documents.rules[static_cast<std::size_t>(known - rules.begin())];
  std::erase_if(documents.admitted, [&](const Admitted& one) { return one.origin.node == origin.node; });
  const std::size_t age = known->meta.age;
  const auto created = known->meta.created;
  *known = *written;
  known->meta.age = age;
  known->meta.created = created;
  origin = {document.where, document.node, document.meta};
  documents.by_age[age] = origin;
  if (!findings.empty()) {
    documents.admitted.push_back({origin, std::move(findings)});
  }
  return istio::resolve_short_name(known->host, known->meta.name_space);
}

const EnvoyFilter* filter_of(const istio::Proxy& proxy, const LocatedDocuments& documents) {
  const auto found = std::find_if(documents.filters.begin(), documents.filters.end(), [&](const EnvoyFilter& filter) {
    const std::string& owner = filter.origin.meta.name_space;
    return filter.at_clients && (owner == proxy.name_space || owner == documents.value.mesh.rootNamespace) &&
           istio::has_all(proxy.labels, filter.selector);
  });
  return found == documents.filters.end() ? nullptr : &*found;
}

void report_admission(const LocatedDocuments& documents, Diagnostics& problems) {
  for (const Admitted& admitted : documents.admitted) {
    const istio::Meta& meta = admitted.origin.meta;
    const std::string name = meta.kind + " " + in_ticks(meta.name_space + "/" + meta.name);
    for (const istio::Finding& finding : admitted.findings) {
      const Span where = kuma::place_of(*admitted.origin.node, finding.path);
      problems.push_back(finding.refused
                             ? error("SP652", where, "istiod refuses {}", "{}", {name, finding.message})
                             : warning("SP653", where, "istiod warns of {}", "{}", {name, finding.message}));
    }
  }
}

}  // namespace spillway::istio
