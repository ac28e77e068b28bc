// `spillway sweep show|plot|sensitivity|merge`: what is read of a sweep's file.
#pragma once

#include "cli/commands.hpp"

namespace spillway::cli {

// Whether the first path is one of these words.
[[nodiscard]] bool reads_sweep(const Arguments& arguments);

// Throws sweep::StoreProblem.
[[nodiscard]] CommandResult sweep_results(const Arguments& arguments);

// The page of a sweep's file; nothing went wrong, or what did. Throws sweep::StoreProblem.
[[nodiscard]] std::optional<UsageProblem> write_sweep_page(const Arguments& arguments, const std::string& file);

}  // namespace spillway::cli
