// The zones of a mesh: those asked for, else those of Nodes, else those that rules and the mesh's settings name, else
// those of EndpointSlices, else three.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/pasted/assumed_zones.hpp"

namespace spillway::scenario::pasted {

struct MeshInventory;  // mesh_inventory.hpp
struct Question;       // world.hpp

// Returns at least one zone. Adds to `assumed` which ones, unless they are asked for or those of Nodes.
[[nodiscard]] std::vector<AssumedZone> choose_zones(const MeshInventory& inventory, const Question& question,
                                                    std::vector<std::string>& assumed);

}  // namespace spillway::scenario::pasted
