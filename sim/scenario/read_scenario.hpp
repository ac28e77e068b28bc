// Reading a scenario file: text in, a checked Scenario or every problem with its place out.
//
//   auto reading = scenario::read_scenario_file("failover.yaml");
//   if (!reading.scenario) { report(reading.diagnostics, reading.sources); }
//
// Never throws on any input, never reads more than 64 MiB, refuses nesting deeper than 128.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::scenario {

struct Reading {
  std::optional<Scenario> scenario;  // absent exactly if there is an error among the diagnostics
  Diagnostics diagnostics;           // sorted by position
  Sources sources;
  std::string summary = {};  // of documents that a program wrote: how much was read, what was ignored
};

// `path` "-" reads standard input. JSON with comments by .json or .jsonc, YAML by .yaml or .yml, else by what the text
// looks like.
[[nodiscard]] Reading read_scenario_file(const std::string& path);

// The same of a text; `name` stands in for the file's name and decides the syntax as its ending does.
[[nodiscard]] Reading read_scenario_text(std::string name, std::string text);

}  // namespace spillway::scenario
