#include "sim/sweep/find.hpp"

#include <fmt/format.h>

#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "cli/terminal.hpp"
#include "reports/requests/happenings.hpp"
#include "reports/sweep/find_report.hpp"

namespace spillway::cli {
namespace {

std::variant<sweep::FindText, UsageProblem> find_text_of(const Arguments& arguments) {
  const SweepArguments& given = arguments.sweep;
  if (given.maximise.has_value() == given.minimise.has_value()) {
    return given.maximise ? problem("SP905", "`--maximise` and `--minimise` are mutually exclusive")
                          : problem("SP903", "`spillway find` needs a key",
                                    "for example --maximise 'clients[shop].workload.rate=100..5000'");
  }
  if (given.such_that.empty()) {
    return problem("SP903", "`spillway find` needs a condition", "for example --such-that 'failed < 0.1 %'");
  }
  if (given.under && *given.under != "failures") {
    return bad_value("--under", *given.under, "it takes failures", {"failures"});
  }
  sweep::FindText text;
  text.scenario = arguments.paths.front();
  text.key = given.maximise ? *given.maximise : *given.minimise;
  text.maximise = given.maximise.has_value();
  text.happening_names = reports::happening_kind_names();
  for (const std::string& condition : given.such_that) {
    const auto parsed = sweep::parse_condition(condition, text.happening_names);
    if (!parsed) {
      return problem("SP957", fmt::format("`{}` is no condition", reports::printable(condition)),
                     "for example 'failed < 0.1 %' or 'p99 < 200ms'");
    }
    text.conditions.push_back(*parsed);
  }
  text.under_failures = given.under.has_value();
  text.replications = arguments.replications.value_or(text.replications);
  text.seed = arguments.seed;
  text.jobs = arguments.jobs;
  return text;
}

}  // namespace

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
      // How many there will be is not known before the end: the last of them are few.
      const double done = 1.0 - 1.0 / (1.0 + static_cast<double>(runs) / (20.0 * text.replications));
      bar.show(done, fmt::format("{} runs", runs));
    });
  }
  if (const auto* wrong = std::get_if<scenario::Reading>(&found)) {
    say_diagnostics(*wrong, arguments);
    return {"", ExitCode::bad_input};
  }
  const auto& answer = std::get<sweep::Found>(found);
  return {reports::format_found(text, answer, arguments.format),
          answer.answer ? ExitCode::well : ExitCode::expectation_failed};
}

}  // namespace spillway::cli
