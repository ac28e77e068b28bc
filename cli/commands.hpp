// The subcommands. They return the exit code and the text for standard output. Other messages go to standard error
// while a command runs.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.hpp"
#include "sim/run/fork_pool.hpp"

namespace CLI {
class App;  // CLI/CLI.hpp
}  // namespace CLI

namespace spillway::cli {

struct RawArguments;  // argument_values.hpp

enum class ExitCode : int { well = 0, expectation_failed = 1, bad_input = 2, internal_error = 3 };

struct CommandResult {
  std::string output;  // empty if the code is bad_input
  ExitCode code = ExitCode::well;
};

// A subcommand: its name and help, its options and what it does. Each has a file of its own.
struct Command {
  const char* name;
  const char* group;  // in `spillway --help`
  const char* summary;
  const char* usage = "";      // printed after the options
  const char* path_name = "";  // of positional arguments; empty if there are none
  const char* path_help = "";
  const char* example;
  void (*add_options)(CLI::App& app, RawArguments& raw) = nullptr;  // besides those of every command
  std::optional<UsageProblem> (*check)(const Command& command, const Arguments& arguments) = nullptr;  // of its paths
  CommandResult (*execute)(const Arguments& arguments);
  const std::vector<std::string>& (*formats)() = reports::format_names;  // that -o accepts, if it has a format
  std::size_t default_jobs = 1;
  bool measures = false;      // simulates requests of one scenario: `--show` and event filters of what is measured
  bool prints_text = false;   // for people, in its default format; other outputs are files
  bool takes_pasted = false;  // documents of Kubernetes, Istio and Kuma without a scenario (pasted_input.hpp)
  bool has_limits = true;
};

// The subcommands. A new one is declared and registered here, and has its own file.
namespace commands {

extern const Command run, share, check, tables, plan, sweep, find, diff, compare, subsets, explain, plot,
    export_documents, import_documents, init, try_rule, validate, schema;

// In the order of the help.
inline constexpr std::array all{&run,
                                &share,
                                &check,
                                &tables,
                                &plan,
                                &sweep,
                                &find,
                                &diff,
                                &compare,
                                &subsets,
                                &explain,
                                &plot,
                                &export_documents,
                                &import_documents,
                                &init,
                                &try_rule,
                                &validate,
                                &schema};

}  // namespace commands

[[nodiscard]] std::vector<std::string> command_names();
// Returns the command of that name; null if there is none.
[[nodiscard]] const Command* command_named(std::string_view name);

[[nodiscard]] CommandResult compare_dump_command(const Arguments& arguments);  // compare with --dump
// Runs a sweep whose points are simulated by external workers instead of processes of this machine; an empty function:
// by those.
using HandOut = std::function<void(const run::ForkedStream&)>;
[[nodiscard]] CommandResult sweep_command(const Arguments& arguments, const HandOut& hand_out);
// Runs a worker of a sweep. The stream's `work` is the sweep's; the caller provides `next` and `finished`. Prints
// nothing: the process that distributes the work has the same arguments.
[[nodiscard]] CommandResult work_on_sweep(const Arguments& arguments, run::ForkedStream stream);
[[nodiscard]] CommandResult version_command();
[[nodiscard]] CommandResult docs_command(const std::optional<std::string>& page);

// Prints the problem as a diagnostic on standard error.
[[nodiscard]] CommandResult refuse(const UsageProblem& problem, const Arguments& arguments = {});

}  // namespace spillway::cli
