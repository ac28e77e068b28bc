#include "sim/plan/plan.hpp"

#include <fmt/format.h>
#include <utility>
#include <variant>

#include "cli/commands.hpp"
#include "cli/control_plane.hpp"
#include "cli/ending.hpp"
#include "cli/imported.hpp"
#include "cli/input.hpp"
#include "cli/output_file.hpp"
#include "cli/terminal.hpp"
#include "models/documents/render_diagnostics.hpp"
#include "reports/html/report.hpp"
#include "reports/plan/plan_report.hpp"
#include "sim/scenario/scenario_template.hpp"

namespace spillway::cli {

CommandResult plan_command(const Arguments& arguments) {
  std::optional<ImportedDocuments> imported;
  if (names_documents(arguments) && !arguments.settings.empty()) {
    return refuse(set_beside_documents(), arguments);
  }
  if (names_documents(arguments)) {
    imported = import_documents(arguments);
    if (imported->refused) {
      return *imported->refused;
    }
  }
  if (!imported && arguments.profile) {
    return refuse({"SP905", "`--profile` does not apply to a plan of a scenario",
                   "write `profile: { envoy: ... }` in the scenario"},
                  arguments);
  }
  std::variant<scenario::ScenarioTemplate, scenario::Reading> read =
      imported ? scenario::ScenarioTemplate(imported->name, imported->text) : set_template(arguments);
  if (const auto* wrong = std::get_if<scenario::Reading>(&read)) {
    say_diagnostics(*wrong, arguments);
    return {"", ExitCode::bad_input};
  }
  const scenario::ScenarioTemplate& base = std::get<scenario::ScenarioTemplate>(read);
  const scenario::Reading& reading = base.reading();
  say_diagnostics(reading, arguments);
  if (!reading.scenario) {
    return {"", ExitCode::bad_input};
  }
  if (const auto other = refuse_control_plane(*reading.scenario)) {
    return refuse(*other, arguments);
  }
  if (arguments.at && *arguments.at >= reading.scenario->duration) {
    return refuse({"SP904", "the moment of --at is at or after the end of the run", "it must be before the `duration`"},
                  arguments);
  }
  plan::Request request;
  request.at = arguments.at;
  request.growth = arguments.growth.value_or(1.0);
  request.growths = arguments.growths;
  request.rate = imported ? std::nullopt : arguments.rate;
  request.effort = {arguments.replications.value_or(plan::Evaluator::Effort{}.replications), arguments.jobs};
  std::variant<plan::Plan, Diagnostics> made;
  {
    ProgressBar bar("planning");
    request.progress = [&](double done) {
      bar.show(done);
      note_reached(fmt::format("{:.0f} % of the plan", 100.0 * done));
    };
    const Completing completing;
    try {
      made = plan::make_plan(base, request);
    } catch (const plan::Stopped&) {
      say(fmt::format("{}: no row of the plan is complete\n", ending_text()));
      return {"", ExitCode::bad_input};
    }
  }
  if (const auto* problems = std::get_if<Diagnostics>(&made)) {
    say_diagnostics({std::nullopt, *problems, reading.sources}, arguments);
    return {"", ExitCode::bad_input};
  }
  const plan::Plan& plan = std::get<plan::Plan>(made);
  if (plan.partial) {
    say(fmt::format("partial: {} rows, {}\n", plan.rows.size(), ending_text()));
  }
  if (arguments.junit) {
    if (const auto failure = write_file(*arguments.junit, reports::plan_junit(*reading.scenario, plan))) {
      return refuse(*failure, arguments);
    }
  }
  if (arguments.report) {
    const std::string page = reports::html::plan_page({*reading.scenario, plan, reading.sources},
                                                      {SPILLWAY_VERSION, arguments.command_line});
    if (const auto failure = write_file(*arguments.report, page)) {
      return refuse(*failure, arguments);
    }
  }
  return {reports::format_plan(*reading.scenario, plan, arguments.format, look_of_output(arguments)),
          plan.holds() ? ExitCode::well : ExitCode::expectation_failed};
}

}  // namespace spillway::cli
