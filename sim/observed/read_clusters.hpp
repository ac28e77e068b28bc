// Reading what `/clusters` or `/clusters?format=json` of an Envoy's admin interface prints.
//
//   Sources sources = {*document::load_source("before.txt", 0, problems)};
//   std::optional<Clusters> moment = read_clusters(sources, 0, problems);
//
// Nothing if the file cannot be read so, with the reason in `problems` (SP790 to SP793, SP798). A health flag or a key
// that this version does not know is ignored; a flag with a warning. Linear in the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"
#include "sim/observed/clusters.hpp"

namespace spillway::observed {

[[nodiscard]] std::optional<Clusters> read_clusters(Sources& sources, std::uint32_t file,
                                                    Diagnostics& problems);

// Whether a text is what /clusters prints, by its beginning.
[[nodiscard]] bool looks_like_clusters(std::string_view text);

}  // namespace spillway::observed
