// A scenario from the tree of its file: what read_scenario_file does after parsing.
#pragma once

#include <optional>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"

namespace spillway::documents {
struct Node;  // node.hpp
}  // namespace spillway::documents

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

// Messages of Envoy's in it should be settled (grammar/protobuf_json.hpp). Worth something only if no error was added
// to `problems`. `sources`: the first is the scenario's own file, whose stem is the name of a scenario without one;
// files that it names are added, and their documents stand in `root` instead.
[[nodiscard]] Scenario read_tree(documents::Node& root, Sources& sources, Diagnostics& problems);

// The same of what read_structure made of such a tree, once the documents that it names stand in it.
[[nodiscard]] Scenario read_written(const messages::Scenario& file, Sources& sources, Diagnostics& problems,
                                    istio_binding::ViewCache* cache = nullptr,
                                    istio_binding::MeshReading* left = nullptr);

// The same of the file that `former` was left by, with these DestinationRules in the place of those of their names.
// Nothing: all must be read anew (structure.hpp: read_changed_rules).
[[nodiscard]] std::optional<Scenario> read_with_rules(const istio_binding::MeshReading& former,
                                                      const messages::Scenario& file,
                                                      const std::vector<const messages::IstioDocument*>& rules,
                                                      Sources& sources, Diagnostics& problems,
                                                      istio_binding::ViewCache* cache);

}  // namespace spillway::scenario
