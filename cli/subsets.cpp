#include "cli/commands.hpp"
#include "cli/control_plane.hpp"
#include "cli/envoy_input.hpp"
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

}  // namespace

CommandResult subsets_command(const Arguments& arguments) {
  const scenario::Reading reading = read_documents(arguments);
  if (!reading.scenario) {
    return {"", ExitCode::bad_input};
  }
  if (const auto other = refuse_control_plane(*reading.scenario)) {
    return refuse(*other, arguments);
  }
  const auto structures = reports::subset_structures(*reading.scenario, arguments.cluster);
  if (structures.empty()) {
    return refuse(nothing_to_show(*reading.scenario, arguments), arguments);
  }
  return {reports::format_subsets(structures, arguments.subset_format, look_of_output(arguments)), ExitCode::well};
}

}  // namespace spillway::cli
