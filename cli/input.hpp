// Finds and reads the scenarios of a command.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::cli {

struct Arguments;     // arguments.hpp
struct UsageProblem;  // usage_problem.hpp

// Returns files unchanged and searches folders recursively for .yaml, .yml, .json and .jsonc, sorted byte by byte.
// Names that begin with a dot and folders called `schema` are skipped. A missing path, or a folder without scenarios,
// is a problem.
[[nodiscard]] std::variant<std::vector<std::string>, UsageProblem> find_scenarios(
    const std::vector<std::string>& paths);

// Returns the folder of the bundled scenarios: `share/spillway/scenarios` or `scenarios` next to or above the program,
// otherwise `scenarios` in the current folder. Returns nullopt if there is none.
[[nodiscard]] std::optional<std::string> scenarios_of_the_house();

// Returns the folder of the documentation, found in the same places.
[[nodiscard]] std::optional<std::string> docs_of_the_house();

// Reads all files and prints every problem on standard error; nullopt if any has an error.
[[nodiscard]] std::optional<std::vector<scenario::Reading>> read_all(const std::vector<std::string>& files,
                                                                     const Arguments& arguments);

// Return the scenario with the values of `--set`, parsed or as a template; on problems only diagnostics.
[[nodiscard]] scenario::Reading read_set_scenario(const Arguments& arguments);
[[nodiscard]] std::variant<scenario::ScenarioTemplate, scenario::Reading> set_template(const Arguments& arguments);

// Returns the error for `--set` with documents of a proxy, which are not a scenario.
[[nodiscard]] UsageProblem set_beside_documents();

// Applies --profile: the rules of a release. It is an error if the scenario itself names a release (SP905).
void use_profile(scenario::Reading& reading, const Arguments& arguments);

// Returns a one-line summary of the first error; empty if there is none.
[[nodiscard]] std::string first_error(const Diagnostics& problems);

// Prints errors, and warnings if `warnings`, on standard error.
void say_diagnostics(const scenario::Reading& reading, const Arguments& arguments, bool warnings = true);

}  // namespace spillway::cli
