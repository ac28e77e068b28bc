// One Kuma document, verbatim, in either form:
//
//   type: Dataplane            # Universal
//   mesh: default
//   name: backend-1
//   networking: { ... }
//
//   apiVersion: kuma.io/v1alpha1   # Kubernetes
//   kind: MeshService
//   metadata: { name: backend, namespace: shop, labels: { kuma.io/mesh: default } }
//   spec: { ... }
//
// or a Kubernetes `kind: List` of them, as `kubectl get -o yaml` prints it. Fields that only a server writes
// (resourceVersion, creationTime, status, ...) are allowed in it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/istio/messages/document.hpp"
#include "models/kuma/names.hpp"

namespace spillway::messages {

struct KumaBody;  // kinds.hpp

struct KumaDocument {
  const documents::Node* node = nullptr;  // lives as long as the tree of the file
  bool kubernetes = false;
  bool clean = false;  // true if no error was found in it
  Field<std::string> kind;
  Field<std::string> name;
  Field<std::string> mesh;  // Universal, and Kubernetes if it is outside the labels
  Field<std::string> name_space;
  Field<kuma::Tags> labels;
  std::shared_ptr<const KumaBody> body;  // null if the kind is ignored, or not read yet
  std::optional<IstioDocument> istio;    // set instead if this is a document of Istio or Kubernetes
};

// Reads one document, or the documents of a `kind: List`.
struct KumaDocumentShape {
  using Value = std::vector<KumaDocument>;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

using KumaDocuments = Field<std::vector<Field<std::vector<KumaDocument>>>>;

}  // namespace spillway::messages
