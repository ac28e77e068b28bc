// Reads a sweep's file: `spillway sweep show|plot|sensitivity|merge`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace spillway::cli {

struct Arguments;      // arguments.hpp
struct CommandResult;  // commands.hpp
struct UsageProblem;   // usage_problem.hpp

// Returns the whole number that the text is; nullopt if it is none.
[[nodiscard]] std::optional<std::uint64_t> whole_number_in(std::string_view text);

// True if the first path is show, plot, sensitivity or merge.
[[nodiscard]] bool reads_sweep(const Arguments& arguments);

// Runs the command. Throws sweep::StoreProblem.
[[nodiscard]] CommandResult sweep_results(const Arguments& arguments);

// Writes the page of a sweep's file. Returns an error; nullopt on success. Throws sweep::StoreProblem.
[[nodiscard]] std::optional<UsageProblem> write_sweep_page(const Arguments& arguments, const std::string& file);

}  // namespace spillway::cli
