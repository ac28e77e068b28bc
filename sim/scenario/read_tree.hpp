// A scenario from the tree of its file: what read_scenario_file does after parsing.
#pragma once

#include <string>

#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/document/node.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::scenario {

// Worth something only if no error was added to `problems`. `file`: its stem is the name of a scenario without one.
[[nodiscard]] Scenario read_tree(const document::Node& root, const std::string& file, Diagnostics& problems);

}  // namespace spillway::scenario
