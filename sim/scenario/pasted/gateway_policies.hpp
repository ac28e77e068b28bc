// Finds the BackendTrafficPolicy of Envoy Gateway that is in effect for a rule of a route.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/documents/node.hpp"
#include "sim/scenario/pasted/mesh_inventory.hpp"

namespace spillway::scenario::pasted {

// Returns the targets of a policy: `targetRefs`, `targetRef` and `targetSelectors`.
[[nodiscard]] std::vector<Json> targets_of(const Json& policy);

// Returns the spec in effect: that of the rule, else of the route, else of a listener, else of the gateway; merged with
// the gateway's if it has a `mergeType`. nullopt if there is none.
[[nodiscard]] std::optional<documents::Node> effective_policy(const MeshInventory& inventory, const Json& route,
                                                              const Json& rule);

// Returns a line for each policy whose targets no route of the inventory has.
[[nodiscard]] std::vector<std::string> unattached_policies(const MeshInventory& inventory);

}  // namespace spillway::scenario::pasted
