// Defines the options of each command for CLI11.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/arguments.hpp"

namespace spillway::cli {

struct RawArguments;  // argument_values.hpp

[[nodiscard]] bool simulates(Command command);
// True if the command reads a scenario or Envoy's own documents.
[[nodiscard]] bool reads_documents(Command command);

// Adds the command's options. Lifetime: `raw` must outlive the parsing.
void add_options(CLI::App& app, Command command, RawArguments& raw);

}  // namespace spillway::cli
