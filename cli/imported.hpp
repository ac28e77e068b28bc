// Converts Envoy's documents to the scenario that `spillway import` would write, for commands that simulate them
// directly.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::cli {

struct ImportedDocuments {
  std::string name;                               // "<import of config_dump.json>", for diagnostics
  std::string text;                               // the scenario file
  std::map<std::string, std::string> files = {};  // traces next to it, by name
  std::vector<std::string> left_out = {};         // parts of the documents that the scenario lacks
  std::optional<CommandResult> refused = {};      // the error if there is no scenario
};

// Imports the documents. Prints their problems, and configuration that proxies received differently, on standard error.
[[nodiscard]] ImportedDocuments import_documents(const Arguments& arguments);

// Reads the imported scenario. What it lacks is among its assumptions, which all outputs name.
[[nodiscard]] scenario::Reading read_imported(ImportedDocuments imported);

// True if --rate is given with documents of a proxy instead of a scenario.
[[nodiscard]] bool names_documents(const Arguments& arguments);

}  // namespace spillway::cli
