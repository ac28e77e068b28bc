#include "cli/control_plane.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "cli/terminal.hpp"
#include "models/documents/problem.hpp"
#include "reports/control_plane/control_plane_report.hpp"
#include "reports/control_plane/reading_verdicts.hpp"
#include "reports/expectations/expectations.hpp"
#include "sim/control_plane/draws.hpp"
#include "sim/control_plane/simulate.hpp"
#include "sim/scenario/control_plane.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::cli {
namespace {

constexpr std::int64_t most_control_plane_samples = 1'000'000;

std::optional<UsageProblem> check_options(const Arguments& arguments, const scenario::Scenario& scenario) {
  for (const auto& [is_set, option] : {std::pair(arguments.mode.has_value(), "--mode"),
                                       {arguments.by.has_value(), "--by"},
                                       {arguments.show != reports::Show::shares, "--show"},
                                       {arguments.every.has_value(), "--every"},
                                       {arguments.every_event, "--every-event"},
                                       {arguments.trace.has_value(), "--trace"},
                                       {arguments.metrics.has_value(), "--metrics"}}) {
    if (is_set) {
      return problem("SP904", fmt::format("`{}` does not apply to a control plane", option),
                     "it is about requests, and this scenario sends none");
    }
  }
  if (arguments.report) {
    return problem("SP904", "`--report` does not apply to a control plane",
                   "use its table, or `spillway plot --kind latency`");
  }
  if (arguments.replications) {
    return problem("SP904", "`--replications` does not apply to a control plane",
                   "simulate it with other seeds: --seed");
  }
  if (arguments.sample && scenario.duration / *arguments.sample > most_control_plane_samples) {
    return problem("SP904", "the interval of --sample is too short for this scenario",
                   fmt::format("a run has at most {} samples", most_control_plane_samples));
  }
  return std::nullopt;
}

}  // namespace

bool refuse_control_plane(const scenario::Reading& reading, const Arguments& arguments) {
  const auto& plane = reading.scenario->control_plane;
  if (!plane) {
    return false;
  }
  Diagnostic problem = error("SP738", plane->where, "a scenario that this command does not support",
                             "a control plane has no clients, and gets no requests");
  problem.helps.emplace_back("`spillway run` and `spillway plot --kind latency` simulate it");
  say_diagnostics({std::nullopt, {std::move(problem)}, reading.sources}, arguments);
  return true;
}

std::variant<control_plane::Results, UsageProblem> simulate_control_plane(const Arguments& arguments,
                                                                          scenario::Scenario& scenario) {
  if (auto wrong = check_options(arguments, scenario)) {
    return *wrong;
  }
  scenario.seed = arguments.seed.value_or(scenario.seed);
  constexpr int stretches = 100;
  ProgressBar bar("simulating");
  return control_plane::simulate(
      *scenario.control_plane, scenario.duration,
      {.seed = scenario.seed,
       .interval = arguments.sample.value_or(std::max(scenario.duration / stretches, std::chrono::nanoseconds{1})),
       .progress = [&](double done) { bar.show(done); }});
}

CommandResult run_control_plane(const Arguments& arguments, const scenario::Reading& reading) {
  scenario::Scenario scenario = *reading.scenario;
  auto simulated = simulate_control_plane(arguments, scenario);
  if (const auto* wrong = std::get_if<UsageProblem>(&simulated)) {
    return refuse(*wrong, arguments);
  }
  auto& results = std::get<control_plane::Results>(simulated);
  const bool judges =
      std::any_of(scenario.control_plane->settings.begin(), scenario.control_plane->settings.end(),
                  [](const scenario::ControlPlaneSetting& setting) { return !setting.readings.empty(); });
  if (judges && scenario.seed != reading.scenario->seed) {
    control_plane::simulate_other_seeds(*scenario.control_plane, scenario.duration, scenario.seed, results);
  }
  const reports::Verdicts verdicts = reports::judge_readings(*scenario.control_plane, results);
  for (const std::string& line : reports::failure_lines(verdicts, reading.sources)) {
    say(line + '\n');
  }
  return {reports::format_control_plane(scenario, results, arguments.format, look_of_output(arguments)),
          reports::tally(verdicts).fail > 0 ? ExitCode::expectation_failed : ExitCode::well};
}

}  // namespace spillway::cli
