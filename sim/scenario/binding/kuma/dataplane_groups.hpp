// Dataplanes that can stand for one another: those of one kuma.io/service with equal tags in one zone. Their numbers
// can be changed as those of pods (binding/istio/pods.hpp).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "models/istio/pod_groups.hpp"

namespace spillway::scenario::binding {

struct KumaServices;  // stages.hpp

// Changes the dataplanes of the documents as `replicas` says, and returns their groups: `name` is the service, `kind`
// and `name_space` are empty. The last ones go first; new ones are copies of the group's in turn, behind it, with names
// and addresses of their own. Gateways are in no group, nor are dataplanes that are clients, or that a MeshService
// names. Unknown names are reported (SP762). Precondition: the scenario has no endpoints of the documents yet.
[[nodiscard]] std::vector<istio::PodGroup> read_dataplane_groups(KumaServices& so_far);

// Sets the scenario's groups. `endpoints` are those of each dataplane, by its name.
void note_dataplanes(const std::vector<istio::PodGroup>& groups,
                     const std::map<std::string, std::vector<config::EndpointIndex>>& endpoints, KumaServices& so_far);

}  // namespace spillway::scenario::binding
