// Reads a scenario file. Returns a checked Scenario, or all problems with their locations.
//
//   auto reading = scenario::read_scenario_file("failover.yaml");
//   if (!reading.scenario) { report(reading.diagnostics, reading.sources); }
//
// Never throws, whatever the input. Limits: 64 MiB, depth 128.
#pragma once

#include <optional>
#include <string>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::scenario {

struct Reading {
  std::optional<Scenario> scenario;  // nullopt exactly if `diagnostics` has an error
  Diagnostics diagnostics;           // sorted by position
  Sources sources;
  std::string summary = {};  // for documents written by a program: the amount read, and what was ignored
};

// Reads a file; `path` "-" means standard input. The syntax is JSON with comments for .json or .jsonc, YAML for .yaml
// or .yml; otherwise the text decides.
[[nodiscard]] Reading read_scenario_file(const std::string& path);

// Reads a text; `name` serves as the file's name, and its extension decides the syntax.
[[nodiscard]] Reading read_scenario_text(std::string name, std::string text);

}  // namespace spillway::scenario
