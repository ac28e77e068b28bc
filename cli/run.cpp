#include <fmt/format.h>
#include <utility>

#include "cli/commands.hpp"
#include "cli/control_plane.hpp"
#include "cli/input.hpp"
#include "cli/output_file.hpp"
#include "cli/print_report.hpp"
#include "cli/terminal.hpp"
#include "cli/trace_file.hpp"
#include "reports/expectations.hpp"
#include "reports/formats.hpp"
#include "reports/html/report.hpp"
#include "reports/openmetrics.hpp"
#include "reports/places.hpp"
#include "sim/run/exact_sum.hpp"
#include "sim/run/replications.hpp"

namespace spillway::cli {

namespace {

namespace html = reports::html;

constexpr std::int64_t most_samples = 1'000'000;

// What a report shows beside the results themselves.
class ReportMeasures {
 public:
  ReportMeasures(const Arguments& arguments, const scenario::Scenario& scenario)
      : wanted_(arguments.report.has_value()),
        counts_(arguments.mode.value_or(scenario.mode) != scenario::Mode::exact),
        stretch_(std::max(scenario.duration / html::most_stretches, std::chrono::nanoseconds{1})) {
    // Each replication is a process of its own, and its requests with it.
    if (wanted_ && counts_ && arguments.replications.value_or(1) == 1) {
      latency_.emplace(scenario, stretch_);
    }
  }

  void ask(run::Options& options) {
    options.endpoint_loads = options.endpoint_loads || wanted_;
    if (wanted_ && counts_ && !options.sample) {
      options.sample = stretch_;
    }
    if (latency_) {
      options.trace = [this, before = options.trace](const run::TracedRequest& request) {
        latency_->add(request);
        if (before) {
          before(request);
        }
      };
    }
  }

  [[nodiscard]] const reports::plot::LatencyTimeline* latency() const { return latency_ ? &*latency_ : nullptr; }

 private:
  bool wanted_;
  bool counts_;
  std::chrono::nanoseconds stretch_;
  std::optional<reports::plot::LatencyTimeline> latency_;
};

std::optional<UsageProblem> write_report(const Arguments& arguments, const html::RunInput& input) {
  return write_file(*arguments.report, html::run_page(input, {SPILLWAY_VERSION, arguments.command_line}));
}

// A command line that makes no sense for this scenario.
std::optional<UsageProblem> problem_of(const Arguments& arguments, const scenario::Scenario& scenario) {
  if (arguments.sample && scenario.duration / *arguments.sample > most_samples) {
    return UsageProblem{"SP904", "the interval of --sample is too short for this scenario",
                        fmt::format("a run has at most {} samples", most_samples)};
  }
  if (arguments.trace && arguments.mode.value_or(scenario.mode) == scenario::Mode::exact) {
    return UsageProblem{"SP904", "`--trace` in mode exact, which sends no requests", "add --mode requests"};
  }
  return check_report_file(arguments);
}

// What would be printed that is too much.
std::optional<UsageProblem> check_printed(const Arguments& arguments, const scenario::Scenario& scenario,
                                          const reports::Dimensions& by) {
  if (arguments.metrics) {
    if (auto wrong = check_output_size(scenario, reports::Dimensions::everything(), "--metrics")) {
      wrong->help = "leave `--metrics` out";
      return wrong;
    }
  }
  const bool shares = arguments.show == reports::Show::shares || arguments.format == reports::Format::json;
  return shares ? check_output_size(scenario, by, output_option(arguments)) : std::nullopt;
}

run::Replicated play_run(const Arguments& arguments, const scenario::Scenario& scenario,
                         std::optional<TraceFile>& trace, ReportMeasures& measures) {
  const std::uint32_t replications = arguments.replications.value_or(1);
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
  measures.ask(options);
  return run::replicate(scenario, options, {replications, arguments.jobs}, [&](std::size_t finished) {
    bar.show(static_cast<double>(finished) / static_cast<double>(replications));
  });
}

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
    return run_control_plane(arguments, reading);
  }
  if (const auto wrong = problem_of(arguments, *reading.scenario)) {
    return refuse(*wrong, arguments);
  }
  const reports::Dimensions by =
      arguments.by.value_or(reports::default_dimensions(arguments.format, *reading.scenario));
  if (const auto wrong = check_printed(arguments, *reading.scenario, by)) {
    return refuse(*wrong, arguments);
  }
  std::optional<TraceFile> trace;
  if (arguments.trace) {
    trace.emplace(*arguments.trace, *reading.scenario);
    if (!trace->failure().empty()) {
      return refuse_trace(arguments, trace->failure());
    }
  }
  ReportMeasures measures(arguments, *reading.scenario);
  run::Replicated played = play_run(arguments, *reading.scenario, trace, measures);
  if (!played.results) {
    say("internal error: " + reports::printable(played.failure) + '\n');
    return {"", ExitCode::internal_error};
  }
  if (const std::string failure = trace ? trace->finish() : ""; !failure.empty()) {
    return refuse_trace(arguments, failure);
  }
  run::Results& results = *played.results;
  if (arguments.metrics) {
    if (const auto failure = write_file(*arguments.metrics, reports::format_openmetrics(*reading.scenario, results))) {
      return refuse(*failure, arguments);
    }
  }
  reports::Report report{*reading.scenario, results, {}, reports::evaluate(*reading.scenario, results), {},
                         arguments.show};
  report.failures = reports::failure_lines(report.verdicts, reading.sources);
  if (arguments.at_rest) {
    run::take_shares_at_rest(results);
  }
  for (const scenario::Diagnostic& warning : reading.diagnostics) {
    report.warnings.push_back(reports::headline(warning));
  }
  if (!warnings_below_table) {
    for (const std::string& failure : report.failures) {
      say(failure + '\n');
    }
  }
  if (arguments.report) {
    if (const auto failure = write_report(arguments, {report, reading.sources, measures.latency()})) {
      return refuse(*failure, arguments);
    }
    // Nobody asked to see them.
    if (!arguments.sample) {
      results.samples.clear();
    }
  }
  const bool failed = reports::tally(report.verdicts).fail > 0;
  return print_report(arguments, report, by, failed ? ExitCode::expectation_failed : ExitCode::well);
}

}  // namespace spillway::cli
