#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <utility>

#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/ending.hpp"
#include "cli/input.hpp"
#include "cli/output_file.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "reports/control_plane/reading_verdicts.hpp"
#include "reports/expectations/check_report.hpp"
#include "reports/expectations/expectations.hpp"
#include "reports/expectations/github_annotations.hpp"
#include "reports/shares/group_by.hpp"
#include "sim/control_plane/draws.hpp"
#include "sim/control_plane/simulate.hpp"
#include "sim/run/exact/exact_sum.hpp"
#include "sim/run/fork_pool.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace spillway::cli {
namespace {

using reports::CheckedScenario;

std::vector<CheckedScenario> run_all(const std::vector<scenario::Reading>& readings, const Arguments& arguments) {
  ProgressBar bar("checking");
  const auto simulate = [&](std::size_t i) {
    const scenario::Scenario& scenario = *readings[i].scenario;
    if (scenario.control_plane) {
      const std::uint64_t seed = arguments.seed.value_or(scenario.seed);
      auto results = control_plane::simulate(*scenario.control_plane, scenario.duration,
                                             {.seed = seed, .interval = scenario.duration, .progress = {}});
      if (seed != scenario.seed) {
        control_plane::simulate_other_seeds(*scenario.control_plane, scenario.duration, seed, results);
      }
      return reports::verdicts_to_bytes(reports::judge_readings(*scenario.control_plane, results));
    }
    run::Options options{.mode = arguments.mode, .seed = arguments.seed};
    options.counted_positions = reports::counted_positions(scenario, reports::dimensions_of_expectations(scenario));
    run::Results results = run::run(scenario, options);
    // Shares without an exact value are judged by their counts.
    if (!arguments.mode && !scenario.expectations.empty() && results.mode == scenario::Mode::exact &&
        !run::all_exact_over_connections(results)) {
      results = {};
      options.mode = scenario::Mode::requests;
      results = run::run(scenario, options);
    }
    return reports::verdicts_to_bytes(reports::evaluate(scenario, results));
  };
  const Completing completing;
  const auto answers = run::fork_map(readings.size(), arguments.jobs, simulate, [&](std::size_t finished) {
    bar.show(static_cast<double>(finished) / static_cast<double>(readings.size()));
  });
  std::vector<CheckedScenario> checked;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    CheckedScenario& scenario = checked.emplace_back();
    scenario.file = readings[i].sources.front().name;
    scenario.name = readings[i].scenario->name;
    if (const auto& plane = readings[i].scenario->control_plane) {
      scenario.known_differences = reports::known_differences_text(reports::count_known_differences(*plane));
    }
    if (answers[i].succeeded) {
      scenario.verdicts = reports::verdicts_from_bytes(answers[i].bytes);
    } else if (answers[i].stopped) {
      scenario.stopped = true;
      scenario.crash = "not run: " + std::string(ending_text());
    } else {
      scenario.crash = answers[i].failure;
    }
  }
  return checked;
}

// Prints each crash; true if there was one.
bool say_crashes(const std::vector<CheckedScenario>& checked) {
  bool crashed = false;
  for (const CheckedScenario& scenario : checked) {
    if (!scenario.crash.empty() && !scenario.stopped) {
      say("internal error: " + reports::printable(scenario.file) + ": " + reports::printable(scenario.crash) + '\n');
      crashed = true;
    }
  }
  return crashed;
}

CommandResult check_command(const Arguments& arguments) {
  std::vector<std::string> paths = arguments.paths;
  std::error_code ignored;
  if (paths.empty()) {
    if (!std::filesystem::is_directory("scenarios", ignored)) {
      return refuse(
          {"SP903", "`spillway check` needs a PATH", "name a file or folder: there is no folder `scenarios` here"},
          arguments);
    }
    paths = {"scenarios"};
  }
  const auto found = find_scenarios(paths);
  if (const auto* problem = std::get_if<UsageProblem>(&found)) {
    return refuse(*problem, arguments);
  }
  const auto readings = read_all(std::get<std::vector<std::string>>(found), arguments);
  if (!readings) {
    return {"", ExitCode::bad_input};
  }
  const std::vector<CheckedScenario> checked = run_all(*readings, arguments);
  std::vector<Sources> sources;
  for (const scenario::Reading& reading : *readings) {
    sources.push_back(reading.sources);
  }
  if (arguments.junit) {
    if (const auto failure = write_file(*arguments.junit, reports::format_junit(checked, sources))) {
      return refuse(*failure, arguments);
    }
  }
  for (std::size_t i = 0; arguments.github && i < checked.size(); ++i) {
    say(reports::github_annotations(checked[i].verdicts, sources[i]));
  }
  const bool crashed = say_crashes(checked);
  if (ending()) {
    const auto run = std::count_if(checked.begin(), checked.end(), [](const auto& one) { return !one.stopped; });
    say(fmt::format("partial: {} of {} scenarios were checked, {}\n", run, checked.size(), ending_text()));
  }
  const bool good = std::all_of(checked.begin(), checked.end(), reports::passed);
  return {reports::format_check(checked, sources, arguments.format, look_of_output(arguments)),
          crashed ? ExitCode::internal_error
          : good  ? ExitCode::well
                  : ExitCode::expectation_failed};
}

void add_check_options(CLI::App& app, RawArguments& raw) {
  add_formats(app, reports::format_names(), raw);
  add_width(app, raw);
  add_seed_and_mode(app, raw);
  option(app, "Simulation", "NUMBER", "-j,--jobs", raw.jobs, "Scenarios simulated at the same time (default: 1)");
  add_junit(app, raw);
  app.add_flag("--github", raw.github, "Also print what is wrong as GitHub annotations, on standard error")
      ->group("Output");
}

}  // namespace

const Command commands::check{
    .name = "check",
    .group = "Verify",
    .summary = "Check the expectations of scenarios and report which are met",
    .usage = "[PATH...]",
    .path_name = "PATH",
    .path_help = "Scenario files, or folders that are searched for them; default: the folder scenarios",
    .example = "  spillway check scenarios/documented --jobs 2\n  spillway check failover.yaml -o json",
    .add_options = add_check_options,
    .execute = check_command,
    .prints_text = true};

}  // namespace spillway::cli
