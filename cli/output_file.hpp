// Files that the program is asked to write beside its results.
#pragma once

#include <optional>
#include <string>

#include "cli/arguments.hpp"

namespace spillway::cli {

// What is wrong (SP908) if it could not be written as a whole.
[[nodiscard]] std::optional<UsageProblem> write_file(const std::string& path, const std::string& text);

// What is wrong with the file of `--report` before anything is played: it is the scenario itself (SP940).
[[nodiscard]] std::optional<UsageProblem> check_report_file(const Arguments& arguments);

}  // namespace spillway::cli
