// Files that the program writes in addition to its results.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reports/text/sink.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {
class Dimensions;  // group_by.hpp
}  // namespace spillway::reports

namespace spillway::cli {

struct Arguments;     // arguments.hpp
struct UsageProblem;  // usage_problem.hpp

// Writes the text. Returns an error (SP908) if the file is incomplete.
[[nodiscard]] std::optional<UsageProblem> write_file(const std::string& path, const std::string& text);
// Writes a text that `write` passes on in pieces. Returns an error (SP908) if the file is incomplete.
[[nodiscard]] std::optional<UsageProblem> write_file(const std::string& path,
                                                     const std::function<void(const reports::Sink&)>& write);

// The tables to print, for an error (SP925) if they would exceed 50 million rows, before anything is simulated.
struct PrintedTables {
  bool shares = true;
  bool cross_zone = false;
  bool endpoints = false;
  std::optional<std::chrono::nanoseconds> samples = {};  // their interval
};
[[nodiscard]] std::optional<UsageProblem> check_output_size(const scenario::Scenario& scenario,
                                                            const PrintedTables& tables, const reports::Dimensions& by,
                                                            const std::string& option);

// Returns the tables that these arguments print.
[[nodiscard]] PrintedTables printed_tables(const Arguments& arguments);

// Returns an error (SP928) if the page of `--report` would exceed its limits. `counts`: requests are simulated.
[[nodiscard]] std::optional<UsageProblem> check_report_size(const scenario::Scenario& scenario, bool counts);

// Returns the options that select the output, for messages: "-o json --by zone".
[[nodiscard]] std::string output_option(const Arguments& arguments);

// Checks the files to write, before any work. Reports an error if one of them is an input, or two are the same (SP940).
[[nodiscard]] std::optional<UsageProblem> check_output_files(const Arguments& arguments);
[[nodiscard]] std::optional<UsageProblem> check_output_files(const Arguments& arguments,
                                                             const std::vector<std::string>& inputs);

}  // namespace spillway::cli
