// The pods of Kubernetes documents: other numbers of them, and the endpoints that they are.
#pragma once

#include <vector>

#include "models/istio/pod_groups.hpp"

namespace spillway::scenario::binding {

struct MeshServices;  // stages.hpp

// Changes the pods of the documents as `replicas` says, and returns their groups. Unknown names are reported (SP762).
// Precondition: the registry has not been made.
[[nodiscard]] std::vector<istio::PodGroup> read_replicas(MeshServices& so_far);

// Sets the scenario's groups of pods. Precondition: the endpoints of the registry are known.
void note_pods(const std::vector<istio::PodGroup>& groups, MeshServices& so_far);

}  // namespace spillway::scenario::binding
