#include <utility>

#include "cli/commands.hpp"
#include "cli/control_plane.hpp"
#include "cli/envoy_input.hpp"
#include "cli/output_file.hpp"
#include "cli/print_report.hpp"
#include "cli/terminal.hpp"
#include "reports/formats.hpp"
#include "sim/run/exact/exact_sum.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/alike_clients.hpp"

namespace spillway::cli {

CommandResult share_command(const Arguments& arguments) {
  const scenario::Reading reading = read_documents(arguments);
  if (!reading.scenario) {
    return {"", ExitCode::bad_input};
  }
  if (const auto other = refuse_control_plane(*reading.scenario)) {
    return refuse(*other, arguments);
  }
  // What the author expects is not asked here, so the documents' tables are left out too.
  scenario::Scenario scenario = *reading.scenario;
  scenario.expectations.clear();
  const reports::Dimensions by = arguments.by.value_or(reports::default_dimensions(arguments.format, scenario));
  if (const auto wrong = check_output_size(scenario, printed_tables(arguments), by, output_option(arguments))) {
    return refuse(*wrong, arguments);
  }
  if (!by.has(reports::Dimension::client)) {
    scenario = scenario::join_alike_clients(std::move(scenario));
  }
  run::Results results = run::run(scenario, {scenario::Mode::exact, std::nullopt, {}});
  if (arguments.at_rest) {
    run::take_shares_at_rest(results);
  }
  const reports::Report report{scenario, results, {}, {}, {}, arguments.show};
  return print_report(arguments, report, by, ExitCode::well);
}

}  // namespace spillway::cli
