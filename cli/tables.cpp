
#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "reports/shares/tables_report.hpp"
#include "sim/run/fork_pool.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace spillway::cli {

namespace {

CommandResult tables_command(const Arguments& arguments) {
  std::vector<std::string> paths = arguments.paths;
  if (paths.empty()) {
    const std::optional<std::string> house = scenarios_of_the_house();
    if (!house) {
      return refuse({"SP906", "the documented scenarios are neither next to the program nor here",
                     "name their folder: `spillway tables PATH`"},
                    arguments);
    }
    paths = {*house + "/documented"};
  }
  const auto found = find_scenarios(paths);
  if (const auto* problem = std::get_if<UsageProblem>(&found)) {
    return refuse(*problem, arguments);
  }
  auto readings = read_all(std::get<std::vector<std::string>>(found), arguments);
  if (!readings) {
    return {"", ExitCode::bad_input};
  }
  // Tables of a control plane are readings, which `run` prints next to the simulated figures.
  std::erase_if(*readings, [](const scenario::Reading& reading) { return reading.scenario->control_plane != nullptr; });
  const auto simulate = [&](std::size_t i) {
    const scenario::Scenario& scenario = *(*readings)[i].scenario;
    const run::Results results = run::run(scenario, {scenario::Mode::requests, std::nullopt, {}});
    return reports::to_bytes(reports::reprint_tables(scenario, results));
  };
  ProgressBar bar("simulating");
  const auto answers = run::fork_map(readings->size(), arguments.jobs, simulate, [&](std::size_t finished) {
    bar.show(static_cast<double>(finished) / static_cast<double>(readings->size()));
  });
  std::vector<reports::ReprintedTables> parts;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (!answers[i].succeeded) {
      say("internal error: " + reports::printable((*readings)[i].sources.front().name) + ": " +
          reports::printable(answers[i].failure) + '\n');
      return {"", ExitCode::internal_error};
    }
    parts.push_back(reports::reprinted_from_bytes(answers[i].bytes));
  }
  return {reports::format_tables(parts, arguments.format, look_of_output(arguments)),
          reports::differences_in(parts).unexplained > 0 ? ExitCode::expectation_failed : ExitCode::well};
}

void add_tables_options(CLI::App& app, RawArguments& raw) {
  add_formats(app, reports::format_names(), raw);
  add_width(app, raw);
  option(app, "Simulation", "NUMBER", "-j,--jobs", raw.jobs, "Scenarios simulated at the same time (default: 1)");
}

}  // namespace

const Command commands::tables{
    .name = "tables",
    .group = "Verify",
    .summary = "Reprint every documented table: documented | exact | simulated",
    .usage = "[PATH...]",
    .path_name = "PATH",
    .path_help = "Scenario files or folders; default: the documented scenarios that come with spillway",
    .example = "  spillway tables\n  spillway tables scenarios/documented/panic-two-levels.yaml -o markdown",
    .add_options = add_tables_options,
    .execute = tables_command,
    .prints_text = true};

}  // namespace spillway::cli
