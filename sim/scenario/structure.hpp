// The first half of reading a scenario file: checks that it conforms to the published schema. It is separate from the
// second half, the meaning, so that tests can compare it with the schema.
#pragma once

#include <optional>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/forward.hpp"
#include "models/envoy/api/setting_places.hpp"

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

// Adds an error for everything that the schema rejects, and for nothing else. False if the root is not an object.
bool read_structure(const documents::Node& root, messages::Scenario& file, Diagnostics& problems);

// Reads the meaning of a structure without errors. `further` changes come after those of the file at the same time.
// `views` receives the places of settings of clusters derived from a mesh's documents; may be null. `cache` keeps views
// of Istio's documents between readings; may be null. `left` receives data for re-reading with changed rules, if there
// are no errors; may be null.
[[nodiscard]] Scenario read_meaning(const messages::Scenario& file, Sources& sources,
                                    const std::vector<Change>& further, Diagnostics& problems,
                                    messages::PlacesOfViews* views = nullptr, istio_binding::ViewCache* cache = nullptr,
                                    istio_binding::MeshReading* left = nullptr);

// Reads the meaning of the same file with each of `rules` in place of the DestinationRule of its name. `problems`
// become those of the whole. nullopt if the rules change more than a part of the scenario, or have errors; the file
// must then be read as a whole.
[[nodiscard]] std::optional<Scenario> read_changed_rules(const istio_binding::MeshReading& former,
                                                         const messages::Scenario& file,
                                                         const std::vector<const messages::IstioDocument*>& rules,
                                                         Sources& sources, Diagnostics& problems,
                                                         messages::PlacesOfViews& views,
                                                         istio_binding::ViewCache* cache);

}  // namespace spillway::scenario
