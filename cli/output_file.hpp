// Files that the program is asked to write beside its results.
#pragma once

#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "reports/group_by.hpp"

namespace spillway::cli {

// What is wrong (SP908) if it could not be written as a whole.
[[nodiscard]] std::optional<UsageProblem> write_file(const std::string& path, const std::string& text);

// What is wrong (SP925) if results by these dimensions would be more than 50 million shares, before anything is played.
// `option` is what asks for them: "-o json".
[[nodiscard]] std::optional<UsageProblem> check_output_size(const scenario::Scenario& scenario,
                                                            const reports::Dimensions& by, const std::string& option);

// What was asked for, to be named in such a message: "-o json --by zone".
[[nodiscard]] std::string output_option(const Arguments& arguments);

// What is wrong with the file of `--report` before anything is played: it is the scenario itself (SP940).
[[nodiscard]] std::optional<UsageProblem> check_report_file(const Arguments& arguments);

}  // namespace spillway::cli
