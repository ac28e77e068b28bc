// `spillway sweep show|plot|sensitivity|merge`: what is read of a sweep's file.
#pragma once

#include <optional>
#include <string>

namespace spillway::cli {

struct Arguments;      // arguments.hpp
struct CommandResult;  // commands.hpp
struct UsageProblem;   // usage_problem.hpp

// Whether the first path is one of these words.
[[nodiscard]] bool reads_sweep(const Arguments& arguments);

// Throws sweep::StoreProblem.
[[nodiscard]] CommandResult sweep_results(const Arguments& arguments);

// The page of a sweep's file; nothing went wrong, or what did. Throws sweep::StoreProblem.
[[nodiscard]] std::optional<UsageProblem> write_sweep_page(const Arguments& arguments, const std::string& file);

}  // namespace spillway::cli
