// Scenarios of pasted documents: the documents, and the world that is assumed around them.
//
//   Composed composed = compose({"mesh.yaml", "rule.yaml"}, {.to = "cart"});
//   if (composed.is_pasted && composed.problem.empty()) { read_scenario_file(composed.path); }
//
// The scenario is a text laid over a file's name (overlay.hpp), whose `resources` name the pasted files; places of
// diagnostics are those of the pasted files.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"
#include "sim/scenario/pasted/world.hpp"

namespace spillway::scenario::pasted {

struct Composed {
  bool is_pasted = false;  // false if the files are something else; nothing was done then
  std::string path = {};   // of the scenario, for functions that read files
  std::string text = {};
  std::string without_rules = {};  // as World has it, with the name
  std::vector<std::string> assumed = {};
  std::vector<std::string> left_out = {};  // of texts around JSON, and of ellipses in it; in words
  std::vector<std::string> ignored = {};   // in words, one per line
  std::string problem = {};
  std::string help = {};
  Diagnostics diagnostics = {};                // of documents that cannot be parsed
  Sources sources = {};                        // also of files that are something else
  std::vector<std::string> services = {};      // that clients call
  std::set<std::string> gateway_routes = {};   // as World has them
  std::set<std::string> gateway_clients = {};  // as World has them
  bool splits = false;                         // routes may have several clusters
  bool is_kuma = false;                        // endpoints that are not ready are not in load assignments
  std::string written = {};  // a scenario that contains the changed documents, for a file without overlays
};

// Composes a scenario. `name` is its name. Files are read once; standard input may be one of them.
[[nodiscard]] Composed compose(const std::vector<std::string>& paths, const Question& question,
                               const std::string& name = "assumed.yaml");

// Composes two scenarios with the same assumptions, derived from all their documents. If only the first has services
// and pods, the second is the first with some documents replaced by the second's of the same kind and name.
struct ComposedSides {
  Composed before = {};
  Composed after = {};
};
[[nodiscard]] ComposedSides compose_sides(const std::string& before, const std::string& after,
                                          const Question& question);

// True if the scenario has rules: DestinationRules, VirtualServices, routes of the Gateway API, policies, settings of
// the mesh, traffic distributions of Services. Routes of gateways do not count: without them there are no requests.
[[nodiscard]] bool has_rules(const Composed& composed);
// Makes an overlay of the scenario without its rules (but those of gateways), with the same assumptions and with
// `further` text at its end. Returns its path.
[[nodiscard]] std::string lay_out_without_rules(const Composed& composed, const std::string& further);
// Makes an overlay of the scenario with `further` text at its end. Returns its path.
[[nodiscard]] std::string lay_out_with(const Composed& composed, const std::string& further);

}  // namespace spillway::scenario::pasted
