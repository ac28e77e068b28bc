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

#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "models/istio/messages/document.hpp"
#include "models/kuma/messages/dataplane.hpp"
#include "models/kuma/messages/mesh.hpp"
#include "models/kuma/messages/policies.hpp"
#include "models/kuma/messages/services.hpp"
#include "models/kuma/messages/zone_proxies.hpp"

namespace spillway::messages {

// The kinds that are read. Each body has `kind`; `inlined`, true if its fields are next to `type` in the Universal form
// instead of in a `spec`; and `in_mesh`, true if it belongs to a mesh.
using KumaKinds = std::tuple<Mesh, Dataplane, ZoneIngress, ZoneEgress, MeshZoneAddress, ExternalService, MeshService,
                             MeshMultiZoneService, MeshExternalService, MeshLoadBalancingStrategy, MeshHTTPRoute,
                             MeshTCPRoute, MeshCircuitBreaker, MeshHealthCheck, MeshRetry, MeshTimeout>;

template <class Tuple>
struct BodyOf;
template <class... Bodies>
struct BodyOf<std::tuple<Bodies...>> {
  using type = std::variant<std::monostate, Bodies...>;  // monostate: a kind that is ignored
};
using KumaBody = BodyOf<KumaKinds>::type;

struct KumaDocument {
  const documents::Node* node = nullptr;  // lives as long as the tree of the file
  bool kubernetes = false;
  bool clean = false;  // true if no error was found in it
  Field<std::string> kind;
  Field<std::string> name;
  Field<std::string> mesh;  // Universal, and Kubernetes if it is outside the labels
  Field<std::string> name_space;
  Field<kuma::Tags> labels;
  KumaBody body;
  std::optional<IstioDocument> istio;  // set instead if this is a document of Istio or Kubernetes
};

// Reads one document, or the documents of a `kind: List`.
struct KumaDocumentShape {
  using Value = std::vector<KumaDocument>;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

using KumaDocuments = Field<std::vector<Field<std::vector<KumaDocument>>>>;

}  // namespace spillway::messages
