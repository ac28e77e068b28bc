// Assumes a world for routes of Envoy Gateway: its proxies are the clients, with the clusters that it writes.
//
// A rule of a route becomes a cluster as in Envoy Gateway: one with a locality for each backendRef, or, with zone-aware
// routing or filters of backendRefs, one cluster for each and a route with weighted clusters.
// Source: ../shared/spec/envoy-gateway.md.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/pasted/mesh_inventory.hpp"
#include "sim/scenario/pasted/world.hpp"

namespace spillway::scenario::pasted {

// Adds a route for each policy's target if the documents have no route, and removes backendRefs of the kind Backend
// from the copies that it returns, so that no Service is assumed for them.
[[nodiscard]] std::vector<Json> complete_gateway_routes(MeshInventory& inventory, std::vector<std::string>& assumed);

// Writes `world.text`, and the scenario without the policies into `world.without_rules`. Problems of the policies are
// added to `documents`. Precondition: pods of the services have been assumed.
void write_gateway_world(const MeshInventory& inventory, const std::vector<AssumedZone>& zones,
                         const Question& question, PastedDocuments& documents, World& world);

}  // namespace spillway::scenario::pasted
