// Files that the program writes in addition to its results.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reports/text/sink.hpp"

namespace spillway::reports {
class Dimensions;  // group_by.hpp
}  // namespace spillway::reports

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::cli {

struct Arguments;     // arguments.hpp
struct UsageProblem;  // usage_problem.hpp

// What is wrong (SP908) if it could not be written as a whole.
[[nodiscard]] std::optional<UsageProblem> write_file(const std::string& path, const std::string& text);
// The same of a text that is handed over while it is made.
[[nodiscard]] std::optional<UsageProblem> write_file(const std::string& path,
                                                     const std::function<void(const reports::Sink&)>& write);

// What is wrong (SP925) if results by these dimensions would be more than 50 million rows, before anything is played.
// `option` is what asks for them: "-o json".
struct PrintedTables {
  bool shares = true;
  bool cross_zone = false;
  bool endpoints = false;
  std::optional<std::chrono::nanoseconds> samples = {};  // their interval
};
[[nodiscard]] std::optional<UsageProblem> check_output_size(const scenario::Scenario& scenario,
                                                            const PrintedTables& tables, const reports::Dimensions& by,
                                                            const std::string& option);

// The tables that these arguments print.
[[nodiscard]] PrintedTables printed_tables(const Arguments& arguments);

// What is wrong (SP928) if the page of `--report` would have to hold more than it can. `counts`: requests are
// simulated.
[[nodiscard]] std::optional<UsageProblem> check_report_size(const scenario::Scenario& scenario, bool counts);

// What was asked for, to be named in such a message: "-o json --by zone".
[[nodiscard]] std::string output_option(const Arguments& arguments);

// What is wrong with the files that the program is to write, before it does anything: one of them is an input, or two
// are the same (SP940).
[[nodiscard]] std::optional<UsageProblem> check_output_files(const Arguments& arguments);
[[nodiscard]] std::optional<UsageProblem> check_output_files(const Arguments& arguments,
                                                             const std::vector<std::string>& inputs);

}  // namespace spillway::cli
