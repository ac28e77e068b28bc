// Scenarios of pasted documents: the documents, and the world that is assumed around them.
//
//   Composed composed = compose({"mesh.yaml", "rule.yaml"}, {.to = "cart"});
//   if (composed.is_pasted && composed.problem.empty()) { read_scenario_file(composed.path); }
//
// The scenario is a text laid over a file's name (overlay.hpp), whose `resources` name the pasted files; places of
// diagnostics are those of the pasted files.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"
#include "sim/scenario/pasted/world.hpp"

namespace spillway::scenario::pasted {

struct Composed {
  bool is_pasted = false;  // false: the files are something else, and nothing was done
  std::string path = {};   // of the scenario, for readers of files
  std::string text = {};
  std::vector<std::string> assumed = {};
  std::vector<std::string> ignored = {};  // in words, one a line
  std::string problem = {};
  std::string help = {};
  Diagnostics diagnostics = {};                   // of documents that cannot be parsed
  Sources sources = {};                           // also of files that are something else
  std::vector<std::string> services = {};         // that clients call
  std::map<std::string, double> capacities = {};  // of a pod of a service, by its short name
  bool splits = false;                            // routes may lead to several clusters
  std::string written = {};  // the scenario as a file that stands alone: documents that were changed are in it
};

// `name` is that of the scenario. Files are read once; standard input may be one of them.
[[nodiscard]] Composed compose(const std::vector<std::string>& paths, const Question& question,
                               const std::string& name = "assumed.yaml");

// Composes two scenarios in one world: that of all their documents. Where only the first has services and pods, the
// second is the first with its own documents in the place of those of the same kind and name.
struct ComposedSides {
  Composed before = {};
  Composed after = {};
};
[[nodiscard]] ComposedSides compose_sides(const std::string& before, const std::string& after,
                                          const Question& question);

// Lays the scenario out again without its rules (DestinationRules, VirtualServices, Kuma's policies), in the same
// world, and with further text at its end. Returns its path.
[[nodiscard]] std::string lay_out_without_rules(const Composed& composed, const std::string& further);
// Lays the scenario out again with further text at its end. Returns its path.
[[nodiscard]] std::string lay_out_with(const Composed& composed, const std::string& further);

}  // namespace spillway::scenario::pasted
