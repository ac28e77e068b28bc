#include "sim/sweep/find.hpp"

#include <fmt/format.h>

#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "reports/requests/event_log.hpp"
#include "reports/sweep/find_report.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace spillway::cli {
namespace {

std::variant<sweep::FindText, UsageProblem> find_text_of(const Arguments& arguments) {
  const SweepArguments& given = arguments.sweep;
  if (given.maximise.has_value() == given.minimise.has_value()) {
    return given.maximise ? problem("SP905", "`--maximise` and `--minimise` are mutually exclusive")
                          : problem("SP903", "`spillway find` needs a key",
                                    "for example --maximise 'clients[shop].workload.rate=100..5000'");
  }
  const std::string& what = given.maximise ? *given.maximise : *given.minimise;
  const bool is_goal = what.find('=') == std::string::npos;
  if (is_goal && given.over.empty() && what.find_first_of(".[") != std::string::npos) {
    return problem("SP903", fmt::format("`{}` has no range", reports::printable(what)),
                   fmt::format("for example '{}=100..5000'", reports::printable(what)));
  }
  if (is_goal && given.over.size() != 1) {
    return problem(
        "SP903", fmt::format("a search for the best `{}` needs one key", reports::printable(what)),
        "for example --over 'clusters[cart].outlier_detection.max_ejection_percent=0..100'; or the key itself: "
        "--maximise 'clients[shop].workload.rate=100..5000'");
  }
  if (!is_goal && !given.over.empty()) {
    return problem("SP905", "`--over` and a key to maximise or minimise are mutually exclusive",
                   "name a figure to optimise: --minimise failed");
  }
  if (given.such_that.empty() && !is_goal) {
    return problem("SP903", "`spillway find` needs a condition", "for example --such-that 'failed < 0.1 %'");
  }
  if (given.under && *given.under != "failures") {
    return bad_value("--under", *given.under, "it takes failures", {"failures"});
  }
  if (arguments.replications == 1U) {
    return bad_value("--replications", "1", "a search needs at least two, for intervals");
  }
  sweep::FindText text;
  text.scenario = arguments.paths.front();
  text.key = is_goal ? given.over.front() : what;
  text.maximise = given.maximise.has_value();
  const std::vector<std::string> event_names = reports::event_kind_names();
  if (is_goal) {
    text.goal = sweep::figure_of(what, event_names);
    if (!text.goal) {
      return bad_value(given.maximise ? "--maximise" : "--minimise", what,
                       "it takes KEY=LOW..HIGH, or a figure such as failed or p99", sweep::figure_names(event_names));
    }
  }
  for (const std::string& condition : given.such_that) {
    auto parsed = sweep::parse_condition(condition, event_names);
    if (const auto* wrong = std::get_if<sweep::ConditionProblem>(&parsed)) {
      return problem("SP957", reports::printable(wrong->message), wrong->help);
    }
    text.conditions.push_back(std::get<sweep::Condition>(std::move(parsed)));
  }
  text.under_failures = given.under.has_value();
  text.replications = arguments.replications.value_or(text.replications);
  text.seed = arguments.seed;
  text.jobs = arguments.jobs;
  return text;
}

CommandResult find_command(const Arguments& arguments) {
  const auto given = find_text_of(arguments);
  if (const auto* wrong = std::get_if<UsageProblem>(&given)) {
    return refuse(*wrong, arguments);
  }
  const auto& text = std::get<sweep::FindText>(given);
  std::variant<sweep::Found, scenario::Reading> found;
  {
    ProgressBar bar("searching");
    found = sweep::find(text, [&](std::size_t runs) {
      // The total is unknown in advance; later values need few runs.
      const double done = 1.0 - 1.0 / (1.0 + static_cast<double>(runs) / (20.0 * text.replications));
      bar.show(done, fmt::format("{} runs", runs));
    });
  }
  if (const auto* wrong = std::get_if<scenario::Reading>(&found)) {
    say_diagnostics(*wrong, arguments);
    return {"", ExitCode::bad_input};
  }
  const auto& answer = std::get<sweep::Found>(found);
  return {reports::format_found(text, answer, arguments.format, look_of_output(arguments)),
          answer.answer ? ExitCode::well : ExitCode::expectation_failed};
}

void add_find_options(CLI::App& app, RawArguments& raw) {
  add_width(app, raw);
  SweepArguments& sweep = raw.sweep;
  option(app, "Search", "KEY=LOW..HIGH", "--maximise", sweep.maximise,
         "Find the highest value of this key that meets the conditions; or, with --over, the figure to maximise");
  option(app, "Search", "KEY=LOW..HIGH", "--minimise", sweep.minimise,
         "Find the lowest value of this key that meets the conditions (endpoints=1..20: the count of every "
         "group,\nor the replicas of every Deployment); or, with --over, the figure to minimise: failed, p99, "
         "utilisation, ...");
  option(app, "Search", "KEY=LOW..HIGH", "--over", sweep.over, "The key to vary for --maximise or --minimise FIGURE")
      ->allow_extra_args(false);
  option(app, "Search", "CONDITION", "--such-that", sweep.such_that,
         "A condition that a value must meet, such as 'failed < 0.1 %' or 'p99 < 200ms'; may repeat")
      ->allow_extra_args(false);
  option(app, "Search", "WHAT", "--under", sweep.under,
         "failures: conditions must also be met during each of the scenario's failures");
  option(app, "Simulation", "NUMBER", "--seed", raw.seed, "Seed of all draws (default: the scenario's)");
  add_replications(app, raw, "Replications of each trial (default: 10)");
  option(app, "Output", "FORMAT", "-o,--output", raw.format, "table or json (default: table)");
}

}  // namespace

const Command commands::find{
    .name = "find",
    .group = "Plan",
    .summary = "Find the highest or lowest value of a key at which objectives are met",
    .usage = "SCENARIO --maximise KEY=LOW..HIGH --such-that CONDITION...",
    .path_name = "SCENARIO",
    .path_help = scenario_file,
    .example =
        "  spillway find shop.yaml --maximise 'clients[shop].workload.rate=100..5000' --such-that 'failed < 0.1 %' "
        "--such-that 'p99 < 200ms'\n"
        "  spillway find shop.yaml --over 'clusters[cart].outlier_detection.max_ejection_percent=0..100' --minimise "
        "failed",
    .add_options = add_find_options,
    .check = check_one_scenario,
    .execute = find_command};

}  // namespace spillway::cli
