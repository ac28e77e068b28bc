// Reads `/clusters?format=json`, for read_clusters.cpp.
#pragma once

#include <cstdint>
#include <optional>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"
#include "sim/observed/clusters.hpp"

namespace spillway::observed {

// Reads the entire output, or one of its clusters as a JSON filter prints it.
[[nodiscard]] std::optional<Clusters> clusters_of_json(Sources& sources, std::uint32_t file, Diagnostics& problems);

}  // namespace spillway::observed
