// The pods of Kubernetes documents: other numbers of them, and the endpoints that they are.
#pragma once

#include <cstdint>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/istio/pod_groups.hpp"

namespace spillway::messages {
struct Scenario;  // scenario.hpp
}  // namespace spillway::messages

namespace spillway::scenario::binding {

struct MeshServices;  // stages.hpp

// Returns the number of each group's pods, as `replicas` and a variation set them. Unknown names are reported (SP762).
[[nodiscard]] std::vector<std::uint32_t> replica_numbers(const std::vector<istio::PodGroup>& groups,
                                                         const messages::Scenario& file, Diagnostics& problems);

// Changes the pods of the documents as `replicas` says, and returns their groups. Unknown names are reported (SP762).
// Precondition: the registry has not been made.
[[nodiscard]] std::vector<istio::PodGroup> read_replicas(MeshServices& so_far);

// Sets the scenario's groups of pods. Precondition: the endpoints of the registry are known.
void note_pods(const std::vector<istio::PodGroup>& groups, MeshServices& so_far);

}  // namespace spillway::scenario::binding
