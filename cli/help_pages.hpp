// Writes the command line as manual pages and shell completions, from the texts of --help.
//
//   manual_page(app, nullptr, "spillway COMMAND ...")                          // spillway(1), as troff reads it
//   manual_page(app, app.get_subcommand("run"), "spillway run ... SCENARIO")
//   completion(app, "bash")              // what a shell sources; nothing for a shell that is not known
//
// The build writes them with `spillway help --man [COMMAND]` and `spillway completion SHELL`.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace spillway::cli {

[[nodiscard]] std::string manual_page(const CLI::App& app, const CLI::App* command, const std::string& usage);

[[nodiscard]] std::optional<std::string> completion(const CLI::App& app, const std::string& shell);
[[nodiscard]] const std::vector<std::string>& completed_shells();

}  // namespace spillway::cli
