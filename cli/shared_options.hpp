// The command line's options that several subcommands have. A subcommand adds its own in its own file.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"

namespace spillway::cli {

struct RawArguments;  // argument_values.hpp

template <class Value>
CLI::Option* option(CLI::App& app, const char* group, const char* type, const char* names, Value& value,
                    const std::string& help) {
  return app.add_option(names, value, help)->type_name(type)->group(group);
}

// The help on the paths of commands that take a scenario or a proxy's documents.
inline constexpr const char* scenario_or_documents =
    "A scenario file; or a Bootstrap, Clusters and ClusterLoadAssignments as Envoy reads them. - reads standard input";
inline constexpr const char* scenario_file = "Scenario file, JSON or YAML; - reads standard input";

// Adds the output formats; the first is the default.
void add_formats(CLI::App& app, const std::vector<std::string>& formats, RawArguments& raw);
void add_width(CLI::App& app, RawArguments& raw);
void add_by(CLI::App& app, RawArguments& raw);
void add_seed_and_mode(CLI::App& app, RawArguments& raw);
void add_profile(CLI::App& app, RawArguments& raw);
void add_report(CLI::App& app, RawArguments& raw);
void add_junit(CLI::App& app, RawArguments& raw);
void add_at_rest(CLI::App& app, RawArguments& raw);
void add_all_clusters(CLI::App& app, RawArguments& raw);
// Adds the cluster of Envoy's documents to which the requests go.
void add_asked_cluster(CLI::App& app, RawArguments& raw);
// Adds options of a command that simulates one scenario several times.
void add_replications(CLI::App& app, RawArguments& raw, const std::string& help);
// Adds the options that change keys of the scenario.
void add_settings(CLI::App& app, RawArguments& raw);

// Adds the options for Envoy's documents: an incoming request, with its headers unless the command has `--header`
// itself, and the treatment of parts of the documents.
enum class DocumentOptions { with_headers, without_headers, without_request };
void add_document_options(CLI::App& app, DocumentOptions of, RawArguments& raw);
// Adds the options for Envoy's documents that are simulated without writing a scenario.
void add_simulated_document_options(CLI::App& app, RawArguments& raw);
// Adds the options for documents of Kubernetes, Istio and Kuma without a scenario. `run` has `--from` and `--to`
// itself, and `run`, `plan` and `import` have `--rate`.
enum class PastedOptions { usual, run, plan, import };
void add_pasted_options(CLI::App& app, PastedOptions of, RawArguments& raw);
// Adds the options of every command.
void add_common_options(CLI::App& app, bool has_limits, RawArguments& raw);

// Returns the error for a path or option that the command needs and does not have.
[[nodiscard]] UsageProblem missing(const Command& command, const char* what);
// Refuses a command line without a path.
[[nodiscard]] std::optional<UsageProblem> check_any_path(const Command& command, const Arguments& arguments);
// Refuses a command line without a path, or with several.
[[nodiscard]] std::optional<UsageProblem> check_one_scenario(const Command& command, const Arguments& arguments);

}  // namespace spillway::cli
