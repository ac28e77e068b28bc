// Envoy's documents as the scenario that `spillway import` would write, for commands that simulate it directly.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "cli/commands.hpp"

namespace spillway::cli {

struct ImportedDocuments {
  std::string name;                               // "<import of config_dump.json>", for diagnostics
  std::string text;                               // the scenario file
  std::map<std::string, std::string> files = {};  // traces that stand beside it, by name
  std::optional<CommandResult> refused = {};      // why there is none
};

// Says what is wrong with the documents, and what proxies were told differently, on standard error.
[[nodiscard]] ImportedDocuments import_documents(const Arguments& arguments);

// Whether --rate is given with documents of a proxy, not with a scenario.
[[nodiscard]] bool names_documents(const Arguments& arguments);

}  // namespace spillway::cli
