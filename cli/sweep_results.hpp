// Reads a sweep's file: `spillway sweep show|plot|sensitivity|merge`.
#pragma once

#include <optional>
#include <string>

namespace spillway::cli {

struct Arguments;      // arguments.hpp
struct CommandResult;  // commands.hpp
struct UsageProblem;   // usage_problem.hpp

// True if the first path is show, plot, sensitivity or merge.
[[nodiscard]] bool reads_sweep(const Arguments& arguments);

// Runs the command. Throws sweep::StoreProblem.
[[nodiscard]] CommandResult sweep_results(const Arguments& arguments);

// Writes the page of a sweep's file. Returns an error; nullopt on success. Throws sweep::StoreProblem.
[[nodiscard]] std::optional<UsageProblem> write_sweep_page(const Arguments& arguments, const std::string& file);

}  // namespace spillway::cli
