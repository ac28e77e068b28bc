#include "sim/run/run.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/control_plane.hpp"
#include "cli/ending.hpp"
#include "cli/imported.hpp"
#include "cli/input.hpp"
#include "cli/output_file.hpp"
#include "cli/print_report.hpp"
#include "cli/run_checks.hpp"
#include "cli/run_files.hpp"
#include "cli/run_slices.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "models/config/seconds.hpp"
#include "reports/expectations/expectations.hpp"
#include "reports/formats.hpp"
#include "reports/html/report.hpp"
#include "reports/plot/latency_timeline.hpp"
#include "reports/requests/event_log.hpp"
#include "reports/requests/openmetrics.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/shares/places.hpp"
#include "reports/text/percent.hpp"
#include "sim/plan/aftermath.hpp"
#include "sim/plan/world.hpp"
#include "sim/run/exact/exact_sum.hpp"
#include "sim/run/parts/side_by_side.hpp"
#include "sim/run/replications.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::cli {

namespace {

namespace html = reports::html;

// Measurements for a report besides the results.
class ReportMeasures {
 public:
  ReportMeasures(const Arguments& arguments, const scenario::Scenario& scenario)
      : wanted_(arguments.report.has_value()),
        counts_(arguments.mode.value_or(scenario.mode) != scenario::Mode::exact),
        stretch_(std::max(scenario.duration / html::most_stretches, std::chrono::nanoseconds{1})) {
    // Each replication is a separate process, so its requests are not visible here.
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

std::string seconds_text(run::Nanoseconds time) {
  return reports::duration_text(config::seconds(time));
}

// Returns a line if the requests keep failing as many as ever after the last failure of the timeline that ends; nullopt
// otherwise. Simulates the run again, to see each request, only if enough requests failed for that and if at most
// 5,000,000 were sent.
std::optional<std::string> recovery_text(const Arguments& arguments, const scenario::Scenario& scenario,
                                         const run::Results& results) {
  constexpr std::uint64_t most_requests = 5'000'000;
  if (results.mode != scenario::Mode::requests || results.replications > 1 || scenario.changes.empty()) {
    return std::nullopt;
  }
  run::Outcomes total;
  for (const run::Outcomes& row : results.outcomes) {
    run::add(total, row);
  }
  const auto failure = total.failed() == 0 || total.sent > most_requests ? std::nullopt : plan::ended_failure(scenario);
  if (!failure || !plan::Aftermath::may_be_bad(*failure, scenario.duration, total.sent, total.failed())) {
    return std::nullopt;
  }
  plan::Aftermath aftermath(*failure, scenario.duration);
  run::Options options{.mode = arguments.mode, .seed = arguments.seed};
  options.trace = [&](const run::TracedRequest& request) { aftermath.add(request); };
  (void)run::run(scenario, options);
  const plan::Recovery recovery = aftermath.recovery();
  constexpr double quarter = 0.25;
  return recovery.verdict != plan::Recovery::Verdict::does_not_recover
             ? std::nullopt
             : std::optional(fmt::format("does not recover: the failure ends at {}, but {} of the requests of the last "
                                         "{} fail, held down by {}",
                                         seconds_text(failure->ends), reports::exact_percent(recovery.failing),
                                         reports::duration_text(quarter * recovery.watched), recovery.held_down_by));
}

std::optional<UsageProblem> write_report(const Arguments& arguments, const html::RunInput& input) {
  return write_file(*arguments.report, html::run_page(input, {SPILLWAY_VERSION, arguments.command_line}));
}

std::size_t jobs_of(const Arguments& arguments, const scenario::Scenario& scenario) {
  return arguments.jobs > 0 ? arguments.jobs : run::sensible_jobs(scenario);
}

// Simulates the run whose rows are shown, if the other results need a separate run. It has only these rows.
run::Replicated simulate_slices(const Arguments& arguments, const scenario::Scenario& scenario,
                                const std::vector<run::Nanoseconds>& cuts) {
  const run::Options options{.mode = arguments.mode, .seed = arguments.seed, .endpoint_loads = true, .cuts = cuts};
  return run::replicate(scenario, options, {arguments.replications.value_or(1), jobs_of(arguments, scenario)});
}

// Returns the rows of `--every` if they are short enough to be drawn, which saves another simulation; null otherwise.
const run::Results* slices_to_draw(const Arguments& arguments, const Slicing& slicing, const run::Results& results,
                                   const run::Replicated& slices) {
  constexpr std::size_t fine = 100;
  if (!arguments.every || slicing.cuts.size() + 1 < fine || results.mode == scenario::Mode::exact) {
    return nullptr;
  }
  return slices.results ? &*slices.results : slicing.simulates_epochs ? nullptr : &results;
}

// Returns the note on partial results; nullopt if they are complete.
std::optional<std::string> partial_text(const run::Replicated& simulated, std::uint32_t replications) {
  if (!simulated.stopped || !simulated.results) {
    return std::nullopt;
  }
  return fmt::format("partial: {} of {} replications, {}", simulated.results->replications, replications,
                     ending_text());
}

// Returns the width of the widest interval among the printed rows.
double widest_printed(const scenario::Scenario& scenario, const run::Results& results, const reports::Dimensions& by) {
  return run::widest_ci95(reports::group_by(scenario, results, by).results);
}

// Returns a warning if --until-precise was not reached within --replications; nullopt otherwise.
std::optional<std::string> imprecise_text(const Arguments& arguments, const scenario::Scenario& scenario,
                                          const run::Results& results, const reports::Dimensions& by) {
  if (!arguments.until_precise || results.mode == scenario::Mode::exact) {
    return std::nullopt;
  }
  const double widest = widest_printed(scenario, results, by);
  if (widest <= *arguments.until_precise) {
    return std::nullopt;
  }
  return fmt::format("not precise: after {} replications the interval is still +-{:.3g} %; raise --replications",
                     results.replications, 100.0 * widest);
}

run::Replicated run_scenario(const Arguments& arguments, const scenario::Scenario& scenario,
                             const reports::Dimensions& by, const Slicing& slicing, RunFiles& files,
                             ReportMeasures& measures) {
  const std::uint32_t replications = arguments.replications.value_or(1);
  ProgressBar bar("simulating");
  const bool loads = arguments.format == reports::Format::json || arguments.show == reports::Show::endpoints ||
                     arguments.show == reports::Show::requests || arguments.metrics.has_value();
  run::Options options{
      .mode = arguments.mode,
      .seed = arguments.seed,
      .progress =
          [&](run::Nanoseconds reached, run::Nanoseconds duration) {
            bar.show(static_cast<double>(reached.count()) / static_cast<double>(duration.count()));
            note_reached(fmt::format("simulated {} of {}", seconds_text(reached), seconds_text(duration)));
          },
      .endpoint_loads = loads,
      .sample = arguments.sample,
      .cuts = slicing.simulates_epochs ? std::vector<run::Nanoseconds>{} : slicing.cuts};
  files.ask(options);
  if (!arguments.metrics && !arguments.report) {
    options.counted_positions =
        reports::counted_positions(scenario, by.with(reports::dimensions_of_expectations(scenario)));
  }
  measures.ask(options);
  std::optional<Completing> completing;
  if (replications > 1) {
    completing.emplace();
  }
  return run::replicate(
      scenario, options,
      {.count = replications,
       .jobs = jobs_of(arguments, scenario),
       .until_ci95 = arguments.until_precise,
       .widest = [&](const run::Results& results) { return widest_printed(scenario, results, by); }},
      [&](std::size_t finished) { bar.show(static_cast<double>(finished) / static_cast<double>(replications)); });
}

// Reads the scenario, or converts Envoy's documents with `--rate`. Returns the error if nothing could be read.
std::optional<CommandResult> read_input(const Arguments& arguments, scenario::Reading& reading) {
  if (!arguments.rate) {
    reading = read_set_scenario(arguments);
    use_profile(reading, arguments);
    return std::nullopt;
  }
  if (!arguments.settings.empty()) {
    return refuse(set_beside_documents(), arguments);
  }
  if (!names_documents(arguments)) {
    return refuse({"SP905", "`--rate` does not apply to a scenario: its clients have their own rates",
                   "it is for the documents of a proxy; `spillway plan --rate` scales a scenario's requests"},
                  arguments);
  }
  ImportedDocuments imported = import_documents(arguments);
  if (imported.refused) {
    return imported.refused;
  }
  reading = read_imported(std::move(imported));
  return std::nullopt;
}

std::optional<UsageProblem> write_metrics(const Arguments& arguments, const scenario::Scenario& scenario,
                                          const run::Results& results, const run::Replicated& slices) {
  const bool over_time = slices.results && (arguments.every || arguments.every_event);
  return write_file(*arguments.metrics, [&](const reports::Sink& sink) {
    reports::write_openmetrics(scenario, results, over_time ? &*slices.results : nullptr, sink);
  });
}

CommandResult ended_without_results(const run::Replicated& simulated) {
  if (simulated.stopped) {
    say(fmt::format("{}: {}\n", ending_text(), simulated.failure));
    return {"", ExitCode::bad_input};
  }
  say("internal error: " + reports::printable(simulated.failure) + '\n');
  return {"", ExitCode::internal_error};
}

reports::Report report_of(const Arguments& arguments, const scenario::Reading& reading, run::Results& results,
                          run::Replicated& slices, const Slicing& slicing, const std::optional<std::string>& partial) {
  reports::Report report{*reading.scenario,
                         results,
                         {},
                         reports::evaluate(*reading.scenario, results),
                         {},
                         arguments.show,
                         arguments.each_event,
                         slices.results ? &*slices.results : nullptr,
                         arguments.sample.has_value(),
                         slicing.joins_alike_rows};
  report.failures = reports::failure_lines(report.verdicts, reading.sources);
  if (arguments.at_rest) {
    run::take_shares_at_rest(results);
    if (slices.results) {
      run::take_shares_at_rest(*slices.results);
    }
  }
  if (partial) {
    report.warnings.push_back(*partial);
  }
  for (const Diagnostic& warning : arguments.quiet ? Diagnostics{} : reading.diagnostics) {
    report.warnings.push_back(reports::headline(warning));
  }
  return report;
}

// Writes the page of `--report`. If the rows of the results are too long, a separate run provides the rows of its
// charts.
std::optional<UsageProblem> write_page(const Arguments& arguments, const scenario::Reading& reading,
                                       const reports::Report& report, const ReportMeasures& measures,
                                       const Slicing& slicing, const run::Replicated& slices) {
  run::Replicated simulated_for_it;
  const run::Results* over_time = slices_to_draw(arguments, slicing, report.results, slices);
  const auto cuts = report_cuts(arguments, *reading.scenario);
  if (over_time == nullptr && !cuts.empty()) {
    simulated_for_it = simulate_slices(arguments, *reading.scenario, cuts);
    over_time = simulated_for_it.results ? &*simulated_for_it.results : nullptr;
  }
  return write_report(arguments, {report, reading.sources, measures.latency(), over_time});
}

CommandResult run_command(const Arguments& arguments) {
  scenario::Reading reading;
  if (const auto refused = read_input(arguments, reading)) {
    return *refused;
  }
  const bool warnings_below_table = reading.scenario && reports::is_for_people(arguments.format);
  say_diagnostics(reading, arguments, !warnings_below_table);
  if (!reading.scenario) {
    return {"", ExitCode::bad_input};
  }
  if (reading.scenario->control_plane) {
    return run_control_plane(arguments, reading);
  }
  const reports::Dimensions by =
      arguments.by.value_or(reports::default_dimensions(arguments.format, *reading.scenario));
  if (const auto wrong = problem_of_run(arguments, reading, by)) {
    return refuse(*wrong, arguments);
  }
  RunFiles files(arguments, *reading.scenario);
  if (const auto wrong = files.problem()) {
    return refuse(*wrong, arguments);
  }
  ReportMeasures measures(arguments, *reading.scenario);
  const Slicing slicing = slicing_of(arguments, *reading.scenario);
  run::Replicated simulated = run_scenario(arguments, *reading.scenario, by, slicing, files, measures);
  if (!simulated.results) {
    return ended_without_results(simulated);
  }
  const auto partial = partial_text(simulated, arguments.replications.value_or(1));
  if (partial) {
    say(*partial + '\n');
  } else if (const auto imprecise = imprecise_text(arguments, *reading.scenario, *simulated.results, by)) {
    say(*imprecise + '\n');
  }
  if (const auto wrong = files.finish()) {
    return refuse(*wrong, arguments);
  }
  run::Results& results = *simulated.results;
  run::Replicated slices;
  if (slicing.simulates_epochs && !slicing.cuts.empty() && !partial) {
    slices = simulate_slices(arguments, *reading.scenario, slicing.cuts);
    if (!slices.results) {
      return ended_without_results(slices);
    }
  }
  if (arguments.metrics) {
    if (const auto failure = write_metrics(arguments, *reading.scenario, results, slices)) {
      return refuse(*failure, arguments);
    }
  }
  reports::Report report = report_of(arguments, reading, results, slices, slicing, partial);
  if (const auto text = partial ? std::nullopt : recovery_text(arguments, *reading.scenario, results)) {
    report.warnings.insert(report.warnings.begin(), *text);
  }
  if (!warnings_below_table) {
    for (const std::string& failure : report.failures) {
      say(failure + '\n');
    }
  }
  if (arguments.report) {
    if (const auto failure = write_page(arguments, reading, report, measures, slicing, slices)) {
      return refuse(*failure, arguments);
    }
    // Samples were taken for the report only.
    if (!arguments.sample) {
      results.samples.clear();
    }
  }
  const reports::Tally met = reports::tally(report.verdicts);
  const bool failed = met.fail > 0 || met.undecided > 0;
  return print_report(arguments, report, by, failed ? ExitCode::expectation_failed : ExitCode::well);
}

void add_run_options(CLI::App& app, RawArguments& raw) {
  add_formats(app, reports::format_names(), raw);
  add_width(app, raw);
  add_by(app, raw);
  add_seed_and_mode(app, raw);
  option(app, "Output", "WHAT", "--show", raw.show,
         "Instead of shares: endpoints (utilisation, queues, requests), samples (the same\nat even intervals, "
         "with --sample), cross_zone (requests and bytes), events (what proxies did and detected) or "
         "requests (outcomes and latency); JSON holds all");
  option(app, "Output", "TIME", "--every", raw.every,
         "Rows of this length, such as 5s, instead of a row from event to event");
  app.add_flag("--every-event", raw.every_event,
               "A row from each event to the next, even if nothing that is printed changes")
      ->group("Output");
  option(app, "Output", "TIME", "--sample", raw.sample,
         "Measure utilisation and queues of endpoints this often, such as 1s");
  option(app, "Output", "FILE", "--trace", raw.trace,
         "Also write a line for each request, as CSV; mode requests, one replication");
  option(app, "Events", "FILE", "--events", raw.events,
         "Also write each happening as it happens, a line of JSON each; one replication");
  app.add_flag("--each", raw.each, "One by one, instead of similar ones together")->group("Events");
  option(app, "Events", "NAME", "--client", raw.client, "Only those of this client");
  option(app, "Events", "ID", "--endpoint", raw.endpoint, "Only those about this endpoint");
  option(app, "Events", "KIND", "--happening", raw.logged_event,
         "Only those of this kind: " + reports::joined(reports::event_kind_names(), ", "));
  option(app, "Events", "TIME", "--from", raw.from,
         "Not before this moment; of documents without a scenario: a pod, a Deployment, a Service or a zone that asks");
  option(app, "Events", "TIME", "--to", raw.to,
         "Not after this moment; of documents without a scenario: the host that it asks for");
  option(app, "Output", "FILE", "--metrics", raw.metrics,
         "Also write the results as OpenMetrics, for Prometheus and compatible tools");
  option(app, "Simulation", "NUMBER", "--replications", raw.replications,
         "Number of replications, each with new random draws, for confidence intervals (default: 1)");
  option(app, "Simulation", "PERCENT", "--until-precise", raw.until_precise,
         "Only as many replications (at most --replications, by default 1000) as needed to make every 95 %\n"
         "interval of a share this narrow, such as 0.5% for +-0.5 % of the requests");
  option(app, "Simulation", "NUMBER", "-j,--jobs", raw.jobs,
         "Parts of the scenario, or replications, simulated at the same time (default: as many as there\n"
         "are cores, fewer where memory is short)");
  add_profile(app, raw);
  option(app, "Envoy's documents", "RATE", "--rate", raw.rates,
         "Requests to each cluster, such as 500rps: simulates the documents of a proxy as `spillway import` reads "
         "them");
  add_simulated_document_options(app, raw);
  add_settings(app, raw);
  add_report(app, raw);
  add_at_rest(app, raw);
  add_pasted_options(app, PastedOptions::run, raw);
}

}  // namespace

const Command commands::run{
    .name = "run",
    .group = "Simulate",
    .summary = "Simulate a scenario: share tables by epoch, and a summary",
    .usage = "SCENARIO",
    .path_name = "SCENARIO",
    .path_help = scenario_file,
    .example = "  spillway run failover.yaml\n  spillway run failover.yaml --by zone -o markdown",
    .add_options = add_run_options,
    .check = check_any_path,
    .execute = run_command,
    .default_jobs = 0,
    .measures = true,
    .prints_text = true,
    .takes_pasted = true};

}  // namespace spillway::cli
