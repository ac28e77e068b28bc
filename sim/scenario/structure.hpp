// The first half of reading a scenario file: is it built as the published schema says? Separate from the second, what
// it means, so that tests can compare it with the schema.
#pragma once

#include <optional>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/envoy/api/setting_places.hpp"

namespace spillway::documents {
struct Node;  // node.hpp
}  // namespace spillway::documents

namespace spillway::messages {
struct IstioDocument;  // document.hpp
struct Scenario;       // scenario.hpp
}  // namespace spillway::messages

namespace spillway::scenario {

struct Change;    // change.hpp
struct Scenario;  // scenario.hpp

namespace istio_binding {
class ViewCache;
struct MeshReading;
}  // namespace istio_binding

// Adds an error for everything that the schema rejects, and for nothing else. False if the root is no object.
bool read_structure(const documents::Node& root, messages::Scenario& file, Diagnostics& problems);

// The second half of a structure without errors. `further` changes come after those of the file that happen at the same
// moment. `views`: gets the places of settings that a mesh's documents make clusters of; may be null. `cache`: keeps
// views of Istio's documents from one reading to the next; may be null. `left`: gets what the reading of a change to
// their rules may take over, if there are no errors; may be null.
[[nodiscard]] Scenario read_meaning(const messages::Scenario& file, Sources& sources,
                                    const std::vector<Change>& further, Diagnostics& problems,
                                    messages::PlacesOfViews* views = nullptr, istio_binding::ViewCache* cache = nullptr,
                                    istio_binding::MeshReading* left = nullptr);

// The second half of the same file with DestinationRules that are `rules`, each in the place of the one of its name;
// problems become those of the whole. Nothing: the rules change more than a part of what there is, or something is
// wrong with them; then the file must be read anew.
[[nodiscard]] std::optional<Scenario> read_changed_rules(const istio_binding::MeshReading& former,
                                                         const messages::Scenario& file,
                                                         const std::vector<const messages::IstioDocument*>& rules,
                                                         Sources& sources, Diagnostics& problems,
                                                         messages::PlacesOfViews& views,
                                                         istio_binding::ViewCache* cache);

}  // namespace spillway::scenario
