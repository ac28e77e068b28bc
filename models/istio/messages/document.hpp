// The grammar of one Istio or Kubernetes document, verbatim:
//
//   apiVersion: networking.istio.io/v1
//   kind: DestinationRule
//   metadata: { name: web, namespace: shop }
//   spec: { ... }
//
// Fields that only a server writes (resourceVersion, creationTimestamp, status, ...) are allowed in it. Kubernetes
// objects may contain any other fields besides those that are read.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/istio/messages/shapes.hpp"
#include "models/istio/resources.hpp"

namespace spillway::messages {

// The sections meshConfig and meshNetworks of an IstioOperator.
struct IstioOperator {
  istio::MeshConfig mesh = {};
  std::vector<istio::Network> networks = {};
  istio::Environment environment = {};
};

using IstioBody = std::variant<std::monostate, istio::KubernetesService, istio::EndpointSlice, istio::Pod, istio::Node,
                               istio::Namespace, istio::ServiceEntry, istio::WorkloadEntry, istio::DestinationRule,
                               istio::VirtualService, istio::Sidecar, IstioOperator>;

struct IstioDocument {
  const documents::Node* node = nullptr;  // lives as long as the tree of the file
  Span where = {};                        // the value of `kind`
  istio::Meta meta = {};                  // `age` is set by the reader
  bool clean = false;                     // true if no error was found in it
  IstioBody body = {};                    // with its own copy of `meta`; monostate if the kind is ignored
};

// True if a document belongs to an Istio API, or configures Istio's mesh. Other documents, such as an unrelated
// ConfigMap, may be next to documents of any mesh.
[[nodiscard]] bool is_istios_own(const IstioDocument& document);

// True if an object is a document of these kinds, by its apiVersion.
[[nodiscard]] bool is_istio_document(const documents::Node& node);

struct IstioDocumentShape {
  using Value = IstioDocument;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  // Adds every kind that is read, each with its schema.
  static void add_schemas(std::vector<grammar::Schema>& forms, grammar::Definitions& definitions);
};

// The grammars of meshConfig and meshNetworks.networks outside an IstioOperator.
struct MeshConfigShape {
  using Value = istio::MeshConfig;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
};
struct MeshNetworksShape {
  using Value = std::vector<istio::Network>;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

}  // namespace spillway::messages
