// The subcommands: they return the exit code and the text for standard output. Other messages go to standard error
// while a command runs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "sim/run/fork_pool.hpp"

namespace spillway::cli {

enum class ExitCode : int { well = 0, expectation_failed = 1, bad_input = 2, internal_error = 3 };

struct CommandResult {
  std::string output;  // empty if the code is bad_input
  ExitCode code = ExitCode::well;
};

[[nodiscard]] CommandResult run_command(const Arguments& arguments);
[[nodiscard]] CommandResult share_command(const Arguments& arguments);
[[nodiscard]] CommandResult check_command(const Arguments& arguments);
[[nodiscard]] CommandResult tables_command(const Arguments& arguments);
[[nodiscard]] CommandResult plan_command(const Arguments& arguments);
[[nodiscard]] CommandResult diff_command(const Arguments& arguments);
[[nodiscard]] CommandResult compare_command(const Arguments& arguments);
[[nodiscard]] CommandResult compare_dump_command(const Arguments& arguments);  // compare with --dump
[[nodiscard]] CommandResult explain_command(const Arguments& arguments);
[[nodiscard]] CommandResult export_command(const Arguments& arguments);
[[nodiscard]] CommandResult import_command(const Arguments& arguments);
[[nodiscard]] CommandResult subsets_command(const Arguments& arguments);
[[nodiscard]] CommandResult plot_command(const Arguments& arguments);
[[nodiscard]] CommandResult validate_command(const Arguments& arguments);
[[nodiscard]] CommandResult schema_command();
[[nodiscard]] CommandResult sweep_command(const Arguments& arguments);
// Runs a sweep whose points are simulated by external workers instead of processes of this machine.
using HandOut = std::function<void(const run::ForkedStream&)>;
[[nodiscard]] CommandResult sweep_command(const Arguments& arguments, const HandOut& hand_out);
// Runs such a worker. The stream's `work` is the sweep's; the caller provides `next` and `finished`. Prints nothing:
// the process that distributes the work has the same arguments.
[[nodiscard]] CommandResult work_on_sweep(const Arguments& arguments, run::ForkedStream stream);
[[nodiscard]] CommandResult find_command(const Arguments& arguments);
[[nodiscard]] CommandResult init_command(const Arguments& arguments);
[[nodiscard]] CommandResult try_command(const Arguments& arguments);
[[nodiscard]] CommandResult version_command();
[[nodiscard]] CommandResult docs_command(const std::optional<std::string>& page);

// Prints the problem as a diagnostic on standard error.
[[nodiscard]] CommandResult refuse(const UsageProblem& problem, const Arguments& arguments = {});

}  // namespace spillway::cli
