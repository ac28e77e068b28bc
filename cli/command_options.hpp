// The options of each command, as CLI11 takes them.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/arguments.hpp"

namespace spillway::cli {

struct RawArguments;  // argument_values.hpp

[[nodiscard]] bool simulates(Command command);
// Whether it reads a scenario or Envoy's own documents.
[[nodiscard]] bool reads_documents(Command command);

// `raw` must outlive the parsing.
void add_options(CLI::App& app, Command command, RawArguments& raw);

}  // namespace spillway::cli
