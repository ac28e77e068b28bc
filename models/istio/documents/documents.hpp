// The Istio and Kubernetes documents of a scenario as the models take them, with their places.
//
//   Documents documents;
//   add_document(written, "Kubernetes", documents);
//   documents.value.destination_rules;
//
// A document that istiod's admission would refuse is not added; what it says is told at its place. Documents are as old
// as they stand in the file: the first is the oldest. Source: docs/behaviour/istio.md 11, 15.
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

// What admission said of a document.
struct Admitted {
  Origin origin = {};
  std::vector<istio::Finding> findings = {};
};

// A document that changes configurations of proxies in ways that are not simulated.
struct EnvoyFilter {
  Origin origin = {};
  istio::Labels selector = {};  // of workloads; empty: all of its namespace
  bool at_clients = false;      // it changes what sidecars do with requests that leave them
};

struct LocatedDocuments {
  istio::Documents value = {};
  std::vector<EnvoyFilter> filters = {};
  std::vector<Origin> rules = {};             // of value.destination_rules, by position
  std::vector<Origin> virtual_services = {};  // of value.virtual_services
  // Of rules, VirtualServices, WorkloadEntries and slices by meta.age; of the mesh's configuration at 0.
  std::map<std::size_t, Origin> by_age = {};
  std::vector<Admitted> admitted = {};  // documents of which admission said something
  std::size_t count = 0;

  [[nodiscard]] bool empty() const noexcept { return count == 0; }
};

// Adds a document to the cluster of that name, which is made if it is not there. Objects of Istio's are the config
// cluster's, whatever `cluster` says.
void add_document(const messages::IstioDocument& document, const std::string& cluster, LocatedDocuments& documents);

// Puts a DestinationRule in the place of the one of its namespace and name, as old as that one is. Gives back the host
// of both, completed; nothing, and nothing is changed, unless admission takes both and both are for the same host, and
// the same proxies.
[[nodiscard]] std::optional<std::string> replace_rule(const messages::IstioDocument& document,
                                                      LocatedDocuments& documents);

// The EnvoyFilter that changes the configuration of a proxy; null if none does. Those of the root namespace are for
// all.
[[nodiscard]] const EnvoyFilter* filter_of(const istio::Proxy& proxy, const LocatedDocuments& documents);

// The findings of admission as diagnostics, at their places.
void report_admission(const LocatedDocuments& documents, Diagnostics& problems);

}  // namespace spillway::istio
