// The Istio and Kubernetes documents of a scenario as the models read them, with their places.
//
//   Documents documents;
//   add_document(written, "Kubernetes", documents);
//   documents.value.destination_rules;
//
// A document that istiod's admission would refuse is not added; its findings are reported at its place. Documents age
// in file order: the first is the oldest. Source: docs/behaviour/istio.md 11, 15.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/istio/resources.hpp"
#include "models/istio/validation.hpp"

namespace spillway::documents {
struct Node;  // node.hpp
}  // namespace spillway::documents

namespace spillway::messages {
struct IstioDocument;  // document.hpp
}  // namespace spillway::messages

namespace spillway::istio {

struct Proxy;  // proxy.hpp

struct Origin {
  Span where = {};
  const documents::Node* node = nullptr;  // lives as long as the tree of the file
  istio::Meta meta = {};
};

// The findings of admission for a document.
struct Admitted {
  Origin origin = {};
  std::vector<istio::Finding> findings = {};
};

// A document that changes configurations of proxies in ways that are not simulated.
struct EnvoyFilter {
  Origin origin = {};
  istio::Labels selector = {};  // of workloads; empty means all of its namespace
  bool at_clients = false;      // it changes how sidecars handle outgoing requests
};

struct LocatedDocuments {
  istio::Documents value = {};
  std::vector<EnvoyFilter> filters = {};
  std::vector<Origin> rules = {};             // of value.destination_rules, by position
  std::vector<Origin> virtual_services = {};  // of value.virtual_services
  // The origins of rules, VirtualServices, WorkloadEntries and slices by meta.age; that of the mesh's configuration at
  // 0.
  std::map<std::size_t, Origin> by_age = {};
  std::vector<Admitted> admitted = {};  // documents with findings
  std::size_t count = 0;

  [[nodiscard]] bool empty() const noexcept { return count == 0; }
};

// Adds a document to the cluster of that name, which is created if it is missing. Istio objects belong to the config
// cluster, whatever `cluster` is.
void add_document(const messages::IstioDocument& document, const std::string& cluster, LocatedDocuments& documents);

// Replaces the DestinationRule of the same namespace and name, keeping its age. Returns the completed host of both.
// Returns nullopt and changes nothing unless admission accepts both and both are for the same host and the same
// proxies.
[[nodiscard]] std::optional<std::string> replace_rule(const messages::IstioDocument& document,
                                                      LocatedDocuments& documents);

// Returns the EnvoyFilter that changes the configuration of a proxy; null if none does. Filters of the root namespace
// apply to all proxies.
[[nodiscard]] const EnvoyFilter* filter_of(const istio::Proxy& proxy, const LocatedDocuments& documents);

// Adds the findings of admission as diagnostics, at their places.
void report_admission(const LocatedDocuments& documents, Diagnostics& problems);

}  // namespace spillway::istio
