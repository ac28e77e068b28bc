// One document of Istio's or Kubernetes', verbatim:
//
//   apiVersion: networking.istio.io/v1
//   kind: DestinationRule
//   metadata: { name: web, namespace: shop }
//   spec: { ... }
//
// What only a server writes (resourceVersion, creationTimestamp, status, ...) may stay in it, and objects of Kubernetes
// may say anything beside what is read.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/istio/messages/shapes.hpp"
#include "models/istio/resources.hpp"

namespace spillway::messages {

// meshConfig and meshNetworks of an IstioOperator.
struct IstioOperator {
  istio::MeshConfig mesh = {};
  std::vector<istio::Network> networks = {};
};

using IstioBody = std::variant<std::monostate, istio::KubernetesService, istio::EndpointSlice, istio::Pod, istio::Node,
                               istio::Namespace, istio::ServiceEntry, istio::WorkloadEntry, istio::DestinationRule,
                               istio::VirtualService, istio::Sidecar, IstioOperator>;

struct IstioDocument {
  const documents::Node* node = nullptr;  // lives as long as the tree of the file
  Span where = {};                       // the value of `kind`
  istio::Meta meta = {};                 // `age` is the reader's to say
  bool clean = false;                    // nothing was found wrong in it
  IstioBody body = {};                   // with its own copy of `meta`; monostate: a kind that is ignored
};

// Whether a document is of an API of Istio's own, or one that says something of Istio's mesh: others, such as a
// ConfigMap of whoever's, stand beside documents of any mesh.
[[nodiscard]] bool is_istios_own(const IstioDocument& document);

// Whether an object is such a document, by its apiVersion.
[[nodiscard]] bool is_istio_document(const documents::Node& node);

struct IstioDocumentShape {
  using Value = IstioDocument;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  // Every kind that is read, each with its schema.
  static void add_schemas(std::vector<grammar::Schema>& forms, grammar::Definitions& definitions);
};

// meshConfig or meshNetworks.networks as they stand elsewhere.
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
