#include "cli/command_options.hpp"

#include <string>

#include "cli/argument_values.hpp"
#include "cli/pasted_input.hpp"
#include "cli/single_options.hpp"
#include "reports/document/formats.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::cli {
namespace {

using reports::joined;

bool verifies(Command command) {
  return command == Command::check || command == Command::tables;
}

// Adds options on the display of results and the documents to read.
void add_shown_options(CLI::App& app, Command command, RawArguments& raw) {
  if (simulates(command) || verifies(command) || command == Command::plan || command == Command::diff ||
      command == Command::compare) {
    add_formats(app, reports::format_names(), raw);
    option(app, "Output", "COLUMNS", "--width", raw.width, "Columns of a table (default: the terminal's, else 100)");
  }
  if (simulates(command)) {
    option(app, "Output", "LIST", "--by", raw.by,
           "What shares are grouped by; everything else is summed: any of\n" +
               joined(reports::Dimensions::names(), ",") +
               "\n(default: client,priority,zone in table and markdown, else all)");
  }
  if (command == Command::subsets) {
    option(app, "Output", "FORMAT", "-o,--output", raw.format,
           "table, json, dot (for Graphviz) or mermaid (default: table)");
    option(app, "Output", "COLUMNS", "--width", raw.width, "Columns of a table (default: the terminal's, else 100)");
  }
  if (command == Command::explain) {
    add_explain_options(app, raw);
  }
  if (reads_documents(command) || command == Command::diff || command == Command::validate ||
      command == Command::import_documents) {
    add_document_options(app, command, raw);
  }
  if (command == Command::validate) {
    option(app, "Output", "FORMAT", "-o,--output", raw.format, "Of Envoy documents: table or json (default: table)");
  }
  if (reads_documents(command)) {
    const char* const share_help = "Of Envoy documents: the cluster that the requests go to, where there are several";
    option(
        app, "Simulation", "NAME", "--cluster", raw.cluster,
        command != Command::subsets ? share_help : "This cluster alone; of Envoy documents, where there are several");
  }
}

// Adds options on the extent of the simulation.
void add_simulated_options(CLI::App& app, Command command, RawArguments& raw) {
  if (command == Command::run || command == Command::check || command == Command::plot) {
    option(app, "Simulation", "NUMBER", "--seed", raw.seed, "Seed of all draws (default: the scenario's)");
    option(app, "Simulation", "MODE", "--mode", raw.mode, "exact, requests or platform (default: the scenario's)");
  }
  if (simulates(command)) {
    option(app, "Output", "WHAT", "--show", raw.show,
           command == Command::run
               ? "Instead of shares: endpoints (utilisation, queues, requests), samples (the same\nat even intervals, "
                 "with --sample), cross_zone (requests and bytes), events (what proxies did and detected) or "
                 "requests (outcomes and latency); JSON holds all"
               : "Instead of shares: cross_zone, requests and bytes from zone to zone; JSON holds both");
  }
  if (command == Command::run) {
    add_run_options(app, raw);
  }
  if (verifies(command)) {
    option(app, "Simulation", "NUMBER", "-j,--jobs", raw.jobs, "Scenarios simulated at the same time (default: 1)");
  }
  if (command == Command::plan) {
    add_plan_options(app, raw);
  }
  if (command == Command::diff) {
    add_diff_options(app, raw);
  }
  if (reads_documents(command) || command == Command::run || command == Command::plan || command == Command::compare ||
      command == Command::import_documents || command == Command::validate) {
    option(app, "Simulation", "PROFILE", "--profile", raw.profile,
           "Rules of this release, such as envoy=release-1.30 (default: the release that the documents name)");
  }
  if (command == Command::diff) {
    option(app, "Upgrade", "PROFILE", "--to-profile", raw.to_profile,
           "What an upgrade moves: envoy=release-1.40 for the documents of one proxy; istio=release-1.31 or kuma=head\n"
           "for a scenario, or the documents of a mesh");
    option(app, "Upgrade", "PROFILE", "--from-profile", raw.from_profile,
           "The release to upgrade from: envoy=release-1.36 (default: the release that the documents name; of a\n"
           "control plane the other one)");
  }
  if (command == Command::run || command == Command::plan) {
    add_simulated_document_options(app, command, raw);
  }
  if (command == Command::share || command == Command::diff) {
    app.add_flag("--all-clusters", raw.all_clusters, "Of Envoy documents: every cluster, one after another")
        ->group("Simulation");
  }
}

// Adds the options of every command.
void add_common_options(CLI::App& app, Command command, RawArguments& raw) {
  option(app, "Output", "WHEN", "--color", raw.color,
         "auto, always or never; auto: on a terminal, unless NO_COLOR is in the environment");
  app.add_flag("--quiet", raw.quiet, "No warnings, notes or progress on standard error; errors are still printed")
      ->group("Output");
  app.add_flag("--short", raw.short_diagnostics, "Errors and warnings in one line each")->group("Output");
  if (command == Command::schema) {
    return;
  }
  option(app, "Limits", "SIZE", "--limit-memory", raw.limit_memory,
         "Stop beyond this, such as 2GB (default: what the machine or its control group has)");
  option(app, "Limits", "TIME", "--limit-time", raw.limit_time,
         "Stop after this time, such as 30s, and report progress; check and run --replications\nprint what is "
         "complete");
  app.add_flag("--allow-files", raw.allow_files, "Also read traces outside the scenario's folder")->group("Limits");
}

}  // namespace

bool simulates(Command command) {
  return command == Command::run || command == Command::share;
}

bool takes_pasted(Command command) {
  return command == Command::share || command == Command::explain || command == Command::run ||
         command == Command::plan || command == Command::diff || command == Command::validate ||
         command == Command::import_documents || command == Command::init || command == Command::try_rule;
}

bool reads_documents(Command command) {
  return command == Command::share || command == Command::subsets || command == Command::explain;
}

void add_options(CLI::App& app, Command command, RawArguments& raw) {
  add_shown_options(app, command, raw);
  add_simulated_options(app, command, raw);
  if (command == Command::compare) {
    add_compare_options(app, raw);
  }
  if (command == Command::import_documents) {
    add_import_options(app, raw);
  }
  if (command == Command::check || command == Command::plan) {
    option(app, "Output", "FILE", "--junit", raw.junit, "Also write the results as JUnit XML, for a build server");
  }
  if (command == Command::run || command == Command::plan || command == Command::plot) {
    add_settings(app, raw);
  }
  if (command == Command::run || command == Command::plan || command == Command::diff || command == Command::compare ||
      command == Command::sweep) {
    option(app, "Output", "FILE", "--report", raw.report,
           "Also write one HTML file with verdict, tables, charts and explanations, for a ticket");
  }
  if (command == Command::plot) {
    add_plot_options(app, raw);
  }
  if (command == Command::sweep || command == Command::find) {
    option(app, "Output", "COLUMNS", "--width", raw.width, "Columns of a table (default: the terminal's, else 100)");
  }
  if (command == Command::sweep) {
    add_sweep_options(app, raw);
  }
  if (command == Command::find) {
    add_find_options(app, raw);
  }
  if (command == Command::export_documents) {
    add_export_options(app, raw);
  }
  if (command == Command::check || command == Command::validate || command == Command::diff) {
    app.add_flag("--github", raw.github,
                 command == Command::diff ? "Also print what changes as GitHub annotations, on standard error"
                                          : "Also print what is wrong as GitHub annotations, on standard error")
        ->group("Output");
  }
  if (simulates(command) || command == Command::explain) {
    app.add_flag("--at-rest", raw.at_rest,
                 "Shares with no request in flight, no retries and no host in slow start, instead of exact ones")
        ->group("Output");
  }
  if (takes_pasted(command)) {
    add_pasted_options(app, command, raw);
  }
  if (command == Command::init) {
    option(app, "Output", "FILE", "-o,--output", raw.output, "The scenario file to write (default: standard output)");
  }
  if (command == Command::try_rule) {
    add_formats(app, {"table", "markdown", "json"}, raw);
    option(app, "Output", "COLUMNS", "--width", raw.width, "Columns of a table (default: the terminal's, else 100)");
  }
  if (command == Command::validate) {
    option(app, "Output", "CODE", "--explain", raw.explain, "Explain a diagnostic code; reads no files");
  }
  add_common_options(app, command, raw);
}

}  // namespace spillway::cli
