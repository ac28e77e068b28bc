// Options of single commands, and of what several commands take as one: which option is whose is in
// command_options.hpp.
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

// What a command prints: one of these formats, by default the first.
void add_formats(CLI::App& app, const std::vector<std::string>& formats, RawArguments& raw);
void add_plot_options(CLI::App& app, RawArguments& raw);
void add_explain_options(CLI::App& app, RawArguments& raw);
// What a live Envoy told.
void add_observed_options(CLI::App& app, RawArguments& raw);
// Which of the happenings are kept.
void add_event_options(CLI::App& app, RawArguments& raw);
// Of Envoy's documents: a request as it comes in, and what is done with parts of them.
void add_document_options(CLI::App& app, Command command, RawArguments& raw);
// Many runs of a scenario, and what came of them.
void add_sweep_options(CLI::App& app, RawArguments& raw);
// Keys of the scenario that take other values.
void add_settings(CLI::App& app, RawArguments& raw);
void add_find_options(CLI::App& app, RawArguments& raw);
// Of Envoy's documents that are simulated without writing a scenario.
void add_simulated_document_options(CLI::App& app, Command command, RawArguments& raw);
void add_run_options(CLI::App& app, RawArguments& raw);
void add_plan_options(CLI::App& app, RawArguments& raw);
void add_diff_options(CLI::App& app, RawArguments& raw);
void add_compare_options(CLI::App& app, RawArguments& raw);
void add_import_options(CLI::App& app, RawArguments& raw);
void add_export_options(CLI::App& app, RawArguments& raw);

}  // namespace spillway::cli
