// The first half of reading a scenario file: is it built as the published schema says? Separate from the second, what
// it means, so that tests can compare it with the schema.
#pragma once

#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/document/node.hpp"
#include "sim/scenario/lints/setting_places.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/written/scenario.hpp"

namespace spillway::scenario {

namespace istio_documents {
class ViewCache;
}

// Adds an error for everything that the schema rejects, and for nothing else. False if the root is no object.
bool read_structure(const document::Node& root, written::Scenario& file, Diagnostics& problems);

// The second half of a structure without errors. `further` changes come after those of the file that happen at the same
// moment. `views`: gets the places of settings that a mesh's documents make clusters of; may be null. `cache`: keeps
// views of Istio's documents from one reading to the next; may be null.
[[nodiscard]] Scenario read_meaning(const written::Scenario& file, Sources& sources, const std::vector<Change>& further,
                                    Diagnostics& problems, lints::PlacesOfViews* views = nullptr,
                                    istio_documents::ViewCache* cache = nullptr);

}  // namespace spillway::scenario
