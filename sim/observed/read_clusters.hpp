// Reads the output of `/clusters` or `/clusters?format=json` of an Envoy's admin interface.
//
//   Sources sources = {*documents::load_source("before.txt", 0, problems)};
//   std::optional<Clusters> moment = read_clusters(sources, 0, problems);
//
// Returns nullopt if the file cannot be read; `problems` has the reason (SP790 to SP793, SP798). Unknown keys are
// ignored; unknown health flags are ignored with a warning. O(length of the text).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"
#include "sim/observed/clusters.hpp"

namespace spillway::observed {

[[nodiscard]] std::optional<Clusters> read_clusters(Sources& sources, std::uint32_t file, Diagnostics& problems);

// True if a text begins like the output of /clusters.
[[nodiscard]] bool looks_like_clusters(std::string_view text);

}  // namespace spillway::observed
