#include <fmt/format.h>
#include <utility>

#include "cli/commands.hpp"
#include "cli/control_plane.hpp"
#include "cli/input.hpp"
#include "cli/output_file.hpp"
#include "cli/terminal.hpp"
#include "cli/trace_file.hpp"
#include "reports/expectations.hpp"
#include "reports/formats.hpp"
#include "reports/openmetrics.hpp"
#include "reports/places.hpp"
#include "sim/run/replications.hpp"

namespace spillway::cli {

namespace {

constexpr std::int64_t most_samples = 1'000'000;

CommandResult refuse_trace(const Arguments& arguments, const std::string& failure) {
  return refuse({"SP908", fmt::format("cannot write `{}`: {}", reports::printable(*arguments.trace), failure), ""},
                arguments);
}

}  // namespace

CommandResult run_command(const Arguments& arguments) {
  const scenario::Reading reading = scenario::read_scenario_file(arguments.paths.front());
  const bool warnings_below_table = reading.scenario && reports::shows_verdicts(arguments.format);
  say_diagnostics(reading, arguments, !warnings_below_table);
  if (!reading.scenario) {
    return {"", ExitCode::bad_input};
  }
  if (reading.scenario->control_plane) {
    return run_control_plane(arguments, *reading.scenario);
  }
  if (arguments.sample && reading.scenario->duration / *arguments.sample > most_samples) {
    return refuse({"SP904", "the interval of --sample is too short for this scenario",
                   fmt::format("a run has at most {} samples", most_samples)},
                  arguments);
  }
  if (arguments.trace && arguments.mode.value_or(reading.scenario->mode) == scenario::Mode::exact) {
    return refuse({"SP904", "`--trace` in mode exact, which sends no requests", "add --mode requests"}, arguments);
  }
  std::optional<TraceFile> trace;
  if (arguments.trace) {
    trace.emplace(*arguments.trace, *reading.scenario);
    if (!trace->failure().empty()) {
      return refuse_trace(arguments, trace->failure());
    }
  }
  const std::uint32_t replications = arguments.replications.value_or(1);
  run::Replicated played;
  {
    ProgressBar bar("playing");
    const bool loads = arguments.format == reports::Format::json || arguments.show == reports::Show::endpoints ||
                       arguments.metrics.has_value();
    run::Options options{.mode = arguments.mode,
                         .seed = arguments.seed,
                         .progress =
                             [&](run::Nanoseconds reached, run::Nanoseconds duration) {
                               bar.show(static_cast<double>(reached.count()) / static_cast<double>(duration.count()));
                             },
                         .endpoint_loads = loads,
                         .sample = arguments.sample};
    if (trace) {
      options.trace = [&](const run::TracedRequest& request) { trace->add(request); };
    }
    played = run::replicate(*reading.scenario, options, {replications, arguments.jobs}, [&](std::size_t finished) {
      bar.show(static_cast<double>(finished) / static_cast<double>(replications));
    });
  }
  if (!played.results) {
    say("internal error: " + reports::printable(played.failure) + '\n');
    return {"", ExitCode::internal_error};
  }
  if (const std::string failure = trace ? trace->finish() : ""; !failure.empty()) {
    return refuse_trace(arguments, failure);
  }
  const run::Results& results = *played.results;
  if (arguments.metrics) {
    if (const auto failure = write_file(*arguments.metrics, reports::format_openmetrics(*reading.scenario, results))) {
      return refuse(*failure, arguments);
    }
  }
  reports::Report report{*reading.scenario, results, {}, reports::evaluate(*reading.scenario, results), {},
                         arguments.show};
  report.failures = reports::failure_lines(report.verdicts, reading.sources);
  if (warnings_below_table) {
    for (const scenario::Diagnostic& warning : reading.diagnostics) {
      report.warnings.push_back(reports::headline(warning));
    }
  } else {
    for (const std::string& failure : report.failures) {
      say(failure + '\n');
    }
  }
  const reports::Dimensions by =
      arguments.by.value_or(reports::default_dimensions(arguments.format, *reading.scenario));
  const bool failed = reports::tally(report.verdicts).fail > 0;
  return {reports::format(report, arguments.format, by, look_of_output(arguments)),
          failed ? ExitCode::expectation_failed : ExitCode::well};
}

}  // namespace spillway::cli
