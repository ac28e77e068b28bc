// The kinds of Kuma's documents that are read, as a list of types, and the body of a document: one of them.
#pragma once

#include <tuple>
#include <variant>

#include "models/kuma/messages/dataplane.hpp"
#include "models/kuma/messages/mesh.hpp"
#include "models/kuma/messages/policies.hpp"
#include "models/kuma/messages/services.hpp"
#include "models/kuma/messages/zone_proxies.hpp"

namespace spillway::messages {

// Each has `kind`; `inlined`, true if its fields are next to `type` in the Universal form instead of in a `spec`; and
// `in_mesh`, true if it belongs to a mesh.
using KumaKinds = std::tuple<Mesh, Dataplane, ZoneIngress, ZoneEgress, MeshZoneAddress, ExternalService, MeshService,
                             MeshMultiZoneService, MeshExternalService, MeshLoadBalancingStrategy, MeshHTTPRoute,
                             MeshTCPRoute, MeshCircuitBreaker, MeshHealthCheck, MeshRetry, MeshTimeout>;

template <class Tuple>
struct BodyOf;
template <class... Bodies>
struct BodyOf<std::tuple<Bodies...>> {
  using type = std::variant<Bodies...>;
};

struct KumaBody {
  BodyOf<KumaKinds>::type of_kind;
};

}  // namespace spillway::messages
