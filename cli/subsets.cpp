#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/control_plane.hpp"
#include "cli/envoy_input.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "reports/subsets/subset_structure.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::cli {
namespace {

// Returns the error for a missing cluster, or for one without subsets.
UsageProblem nothing_to_show(const scenario::Scenario& scenario, const Arguments& arguments) {
  const std::string help = "subsets need an lb_subset_config with at least one selector, or the typed subset policy";
  if (!arguments.cluster) {
    return {"SP909", "no cluster has subsets", help};
  }
  const std::string name = "`" + reports::printable(*arguments.cluster) + "`";
  for (const scenario::Service& service : scenario.services) {
    if (service.name == *arguments.cluster) {
      return {"SP909", "cluster " + name + " has no subsets", help};
    }
  }
  return {"SP904", name + " is not a valid value for --cluster", "it takes the name of a cluster"};
}

CommandResult subsets_command(const Arguments& arguments) {
  const scenario::Reading reading = read_documents(arguments);
  if (!reading.scenario) {
    return {"", ExitCode::bad_input};
  }
  if (refuse_control_plane(reading, arguments)) {
    return {"", ExitCode::bad_input};
  }
  const auto structures = reports::subset_structures(*reading.scenario, arguments.cluster);
  if (structures.empty()) {
    return refuse(nothing_to_show(*reading.scenario, arguments), arguments);
  }
  return {reports::format_subsets(structures, arguments.subset_format, look_of_output(arguments)), ExitCode::well};
}

void add_subsets_options(CLI::App& app, RawArguments& raw) {
  option(app, "Output", "FORMAT", "-o,--output", raw.format,
         "table, json, dot (for Graphviz) or mermaid (default: table)");
  add_width(app, raw);
  add_document_options(app, DocumentOptions::with_headers, raw);
  option(app, "Simulation", "NAME", "--cluster", raw.cluster,
         "This cluster alone; of Envoy documents, where there are several");
  add_profile(app, raw);
}

}  // namespace

const Command commands::subsets{
    .name = "subsets",
    .group = "Explain",
    .summary = "Print or draw the subsets of a cluster: keys, values, hosts, fallbacks",
    .usage = "FILE...",
    .path_name = "FILE",
    .path_help = scenario_or_documents,
    .example =
        "  spillway subsets canary.yaml\n  spillway subsets bootstrap.yaml --cluster backend -o dot | dot -Tsvg > "
        "subsets.svg",
    .add_options = add_subsets_options,
    .check = check_any_path,
    .execute = subsets_command,
    .formats = reports::subset_format_names,
    .prints_text = true};

}  // namespace spillway::cli
