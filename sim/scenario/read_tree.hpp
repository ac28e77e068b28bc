// Reads a scenario from the tree of its file: the part of read_scenario_file after parsing.
#pragma once

#include <optional>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/forward.hpp"
#include "models/documents/source.hpp"

namespace spillway::messages {
struct IstioDocument;  // document.hpp
struct Scenario;       // scenario.hpp
}  // namespace spillway::messages

namespace spillway::scenario {

struct Scenario;  // scenario.hpp

namespace istio_binding {
class ViewCache;
struct MeshReading;
}  // namespace istio_binding

// Reads a tree. The result is valid only if no error was added to `problems`. The first of `sources` is the scenario's
// own file; its stem is the default name. Files that the scenario names are added, and their documents replace the
// names in `root`. Precondition: Envoy messages in it are settled (grammar/protobuf_json.hpp).
[[nodiscard]] Scenario read_tree(documents::Node& root, Sources& sources, Diagnostics& problems);

// Reads the result of read_structure. Precondition: as for read_tree, and named documents are already included.
[[nodiscard]] Scenario read_written(const messages::Scenario& file, Sources& sources, Diagnostics& problems,
                                    istio_binding::ViewCache* cache = nullptr,
                                    istio_binding::MeshReading* left = nullptr);

// Reads the file from which `former` was kept, with each of these DestinationRules in place of the one with its name.
// nullopt if the file must be read as a whole (structure.hpp: read_changed_rules).
[[nodiscard]] std::optional<Scenario> read_with_rules(const istio_binding::MeshReading& former,
                                                      const messages::Scenario& file,
                                                      const std::vector<const messages::IstioDocument*>& rules,
                                                      Sources& sources, Diagnostics& problems,
                                                      istio_binding::ViewCache* cache);

}  // namespace spillway::scenario
