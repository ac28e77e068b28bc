// The clients of pasted documents of Kuma.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/scenario/pasted/mesh_inventory.hpp"

namespace spillway::scenario::pasted {

// Proxies that call: some in a zone with the same tags.
struct KumaCallers {
  std::string zone = {};
  Labels tags = {};
  std::size_t count = 1;
};

// Returns the Dataplanes of the service `from`, by the tags of their inbounds; if there are none, one client in each
// zone, or in the zone `from`.
[[nodiscard]] std::vector<KumaCallers> kuma_callers(const std::vector<Labels>& inbounds,
                                                    const std::vector<std::string>& zones, const std::string& from);

}  // namespace spillway::scenario::pasted
