// Adds options of single commands, and groups of options of several commands. command_options.hpp has the options of
// each command.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/arguments.hpp"

namespace spillway::cli {

struct RawArguments;  // argument_values.hpp

template <class Value>
CLI::Option* option(CLI::App& app, const char* group, const char* type, const char* names, Value& value,
                    const std::string& help) {
  return app.add_option(names, value, help)->type_name(type)->group(group);
}

// Adds the output formats; the first is the default.
void add_formats(CLI::App& app, const std::vector<std::string>& formats, RawArguments& raw);
void add_plot_options(CLI::App& app, RawArguments& raw);
void add_explain_options(CLI::App& app, RawArguments& raw);
// Adds the options for outputs of a live Envoy.
void add_observed_options(CLI::App& app, RawArguments& raw);
// Adds the filters of events.
void add_event_options(CLI::App& app, RawArguments& raw);
// Adds the options for Envoy's documents: an incoming request, and the treatment of parts of the documents.
void add_document_options(CLI::App& app, Command command, RawArguments& raw);
// Adds the options for repeated runs of a scenario and their results.
void add_sweep_options(CLI::App& app, RawArguments& raw);
// Adds the options that change keys of the scenario.
void add_settings(CLI::App& app, RawArguments& raw);
void add_find_options(CLI::App& app, RawArguments& raw);
// Adds the options for Envoy's documents that are simulated without writing a scenario.
void add_simulated_document_options(CLI::App& app, Command command, RawArguments& raw);
// Adds the options for documents of Kubernetes, Istio and Kuma without a scenario.
void add_pasted_options(CLI::App& app, Command command, RawArguments& raw);
void add_run_options(CLI::App& app, RawArguments& raw);
void add_plan_options(CLI::App& app, RawArguments& raw);
void add_diff_options(CLI::App& app, RawArguments& raw);
void add_compare_options(CLI::App& app, RawArguments& raw);
void add_import_options(CLI::App& app, RawArguments& raw);
void add_export_options(CLI::App& app, RawArguments& raw);

}  // namespace spillway::cli
