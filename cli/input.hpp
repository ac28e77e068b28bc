// Finding and reading the scenarios that a command is about.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/documents/diagnostic.hpp"

namespace spillway::scenario {
class ScenarioTemplate;  // scenario_template.hpp
struct Reading;          // read_scenario.hpp
}  // namespace spillway::scenario

namespace spillway::cli {

struct Arguments;     // arguments.hpp
struct UsageProblem;  // usage_problem.hpp

// Files as they are; folders searched to any depth for .yaml, .yml, .json and .jsonc, sorted byte by byte, without what
// begins with a dot and without folders called `schema`. A path that is not there, or a folder without scenarios, is a
// problem.
[[nodiscard]] std::variant<std::vector<std::string>, UsageProblem> find_scenarios(
    const std::vector<std::string>& paths);

// Where the scenarios that come with the program are: `share/spillway/scenarios` or `scenarios` beside or above the
// program, else `scenarios` here. Absent if they are nowhere.
[[nodiscard]] std::optional<std::string> scenarios_of_the_house();

// Where the pages of the documentation are, likewise.
[[nodiscard]] std::optional<std::string> docs_of_the_house();

// Reads all of them and prints every problem on standard error; absent if any has an error.
[[nodiscard]] std::optional<std::vector<scenario::Reading>> read_all(const std::vector<std::string>& files,
                                                                     const Arguments& arguments);

// The scenario of a command with what `--set` says, read or to be varied; what is wrong comes as a reading.
[[nodiscard]] scenario::Reading read_set_scenario(const Arguments& arguments);
[[nodiscard]] std::variant<scenario::ScenarioTemplate, scenario::Reading> set_template(const Arguments& arguments);

// `--set` beside documents of a proxy, which are no scenario.
[[nodiscard]] UsageProblem set_beside_documents();

// --profile: the rules of a release. A scenario that names a release itself is an error (SP905).
void use_profile(scenario::Reading& reading, const Arguments& arguments);

// What is wrong, in one line; empty: nothing is.
[[nodiscard]] std::string first_error(const Diagnostics& problems);

// Prints errors, and warnings if `warnings`, on standard error.
void say_diagnostics(const scenario::Reading& reading, const Arguments& arguments, bool warnings = true);

}  // namespace spillway::cli
