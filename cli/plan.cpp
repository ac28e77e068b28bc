#include "sim/plan/plan.hpp"

#include <fmt/format.h>
#include <utility>
#include <variant>

#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/control_plane.hpp"
#include "cli/ending.hpp"
#include "cli/imported.hpp"
#include "cli/input.hpp"
#include "cli/output_file.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "models/documents/render_diagnostics.hpp"
#include "reports/html/report.hpp"
#include "reports/plan/plan_report.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/scenario_template.hpp"

namespace spillway::cli {

namespace {

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
    for (const std::string& what : imported->left_out) {
      say(fmt::format("assumed: {}\n", reports::printable(what)));
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
  if (refuse_control_plane(reading, arguments)) {
    return {"", ExitCode::bad_input};
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

void add_plan_options(CLI::App& app, RawArguments& raw) {
  add_formats(app, reports::format_names(), raw);
  add_width(app, raw);
  option(app, "Simulation", "TIME", "--at", raw.at, "The moment to plan for (default: when clients send most)");
  option(app, "Simulation", "FACTOR", "--growth", raw.growth,
         "Requests times this factor, such as 1.5x; several make a table, without effect on the exit "
         "code: 1.2,1.5,2");
  option(app, "Simulation", "RATE", "--rate", raw.rates,
         "Requests of all clients together, such as 4000rps; of documents without a scenario also SERVICE=RATE, may "
         "repeat")
      ->allow_extra_args(false);
  add_replications(app, raw, "Number of replications in which latency and errors are measured (default: 5)");
  add_profile(app, raw);
  add_simulated_document_options(app, raw);
  add_junit(app, raw);
  add_settings(app, raw);
  add_report(app, raw);
  add_pasted_options(app, PastedOptions::plan, raw);
}

}  // namespace

const Command commands::plan{
    .name = "plan",
    .group = "Plan",
    .summary = "Capacity: what each failure does, headroom, fewest endpoints, what to buy next",
    .usage = "SCENARIO",
    .path_name = "SCENARIO",
    .path_help = scenario_file,
    .example = "  spillway plan three-zones.yaml\n  spillway plan three-zones.yaml --growth 1.5x -o markdown",
    .add_options = add_plan_options,
    .check = check_any_path,
    .execute = plan_command,
    .prints_text = true,
    .takes_pasted = true};

}  // namespace spillway::cli
