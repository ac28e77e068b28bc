#include "sim/sweep/sweep.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <system_error>

#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/control_plane.hpp"
#include "cli/ending.hpp"
#include "cli/input.hpp"
#include "cli/shared_options.hpp"
#include "cli/sweep_results.hpp"
#include "cli/terminal.hpp"
#include "models/config/lower_ascii.hpp"
#include "models/config/refusal.hpp"
#include "reports/requests/event_log.hpp"
#include "reports/text/percent.hpp"
#include "sim/sweep/figures.hpp"
#include "sim/sweep/store.hpp"

namespace spillway::cli {
namespace {

using reports::printable;

CommandResult refuse_store(const sweep::StoreProblem& wrong, const Arguments& arguments) {
  return refuse(UsageProblem{wrong.code, printable(wrong.what()), printable(wrong.help)}, arguments);
}

std::variant<sweep::Shard, UsageProblem> shard_of(const Arguments& arguments) {
  if (!arguments.sweep.shard) {
    return sweep::Shard{};
  }
  const std::string& text = *arguments.sweep.shard;
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto index = whole_number_in(std::string_view(text).substr(0, slash));
  const auto count =
      slash < text.size() ? whole_number_in(std::string_view(text).substr(slash + 1)) : std::optional<std::uint64_t>();
  if (!index || !count || *index < 1 || *index > *count) {
    return bad_value("--shard", text, "it takes I/N, such as 3/100: the third of a hundred, counted from 1");
  }
  return sweep::Shard{*index, *count};
}

std::variant<sweep::SweepText, UsageProblem> text_of(const Arguments& arguments) {
  sweep::SweepText text;
  text.scenario = arguments.paths.front();
  text.variants = arguments.sweep.variants;
  text.space.over = arguments.sweep.over;
  text.space.seed = arguments.seed.value_or(1);
  text.replications = arguments.replications;
  text.seed = arguments.seed;
  text.mode = arguments.mode;
  if (arguments.sweep.design) {
    const auto design = sweep::design_of(*arguments.sweep.design);
    if (!design) {
      return bad_value("--design", *arguments.sweep.design, "it takes " + reports::joined(sweep::design_names(), ", "),
                       sweep::design_names());
    }
    text.space.design = *design;
  }
  const bool sampled = text.space.design != sweep::Design::grid;
  if (sampled != arguments.sweep.samples.has_value()) {
    return sampled ? problem("SP903", fmt::format("`--design {}` needs a number of points", *arguments.sweep.design),
                             "for example --samples 200")
                   : problem("SP905", "`--samples` does not apply to a grid, which has all combinations",
                             "add --design latin or --design sobol");
  }
  if (sampled) {
    const auto samples = whole_number_in(*arguments.sweep.samples);
    if (!samples || *samples < 1 || *samples > sweep::most_points) {
      return bad_value("--samples", *arguments.sweep.samples,
                       fmt::format("it takes a whole number from 1 to {}", sweep::most_points));
    }
    text.space.samples = *samples;
  }
  if (arguments.sweep.csv) {
    std::ifstream file(*arguments.sweep.csv);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    if (!file) {
      return problem("SP906", fmt::format("cannot read `{}`: {}", printable(*arguments.sweep.csv),
                                          std::generic_category().message(errno)));
    }
    text.space.csv_name = *arguments.sweep.csv;
    text.space.csv_text = bytes.str();
  }
  return text;
}

// Returns "1 m 20 s", rounded for people.
std::string left_text(double seconds) {
  constexpr double minute = 60.0;
  constexpr double hour = 3600.0;
  if (seconds < minute) {
    return fmt::format("{:.0f} s", std::ceil(seconds));
  }
  if (seconds < hour) {
    return fmt::format("{:.0f} m {:.0f} s", std::floor(seconds / minute), std::fmod(seconds, minute));
  }
  return fmt::format("{:.0f} h {:.0f} m", std::floor(seconds / hour), std::floor(std::fmod(seconds, hour) / minute));
}

class SweepProgress {
 public:
  SweepProgress(std::uint64_t before, std::uint64_t all) : before_(before), all_(all) {}

  void show(std::uint64_t simulated) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
    const double left = static_cast<double>(all_ - std::min(all_, before_ + simulated));
    bar_.show(static_cast<double>(before_ + simulated) / static_cast<double>(std::max<std::uint64_t>(all_, 1)),
              fmt::format("{} of {} points, {} left", reports::with_thousands(before_ + simulated),
                          reports::with_thousands(all_), left_text(left * seconds / static_cast<double>(simulated))));
  }

 private:
  ProgressBar bar_{"sweeping"};
  std::uint64_t before_;
  std::uint64_t all_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

CommandResult end_of(const Arguments& arguments, const sweep::Simulated& simulated, std::uint64_t done,
                     std::uint64_t points) {
  const std::string& file = *arguments.output;
  const std::string of = fmt::format("{} of {} points", reports::with_thousands(done), reports::with_thousands(points));
  if (simulated.stopped) {
    say(fmt::format("{}: {} are in {}; the same command continues with the rest\n", ending_text(), of,
                    printable(file)));
    return {};
  }
  if (!simulated.failures.empty()) {
    for (const std::string& failure : simulated.failures) {
      say(fmt::format("internal error: {}\n", printable(failure)));
    }
    say(fmt::format("{} are in {}; the same command tries the others again\n", of, printable(file)));
    return {"", ExitCode::internal_error};
  }
  std::string text = fmt::format(" {} in {}, {} of them by this command\n", of, printable(file),
                                 reports::with_thousands(simulated.points));
  if (done < points) {
    text += " another process simulates the others\n";
  }
  return {text, ExitCode::well};
}

// Refuses a file name of another type than a sweep's file, which is SQLite.
std::optional<UsageProblem> check_name_of_results(const std::string& file) {
  constexpr std::array others =
      std::to_array<std::string_view>({".csv", ".tsv", ".json", ".jsonl", ".jsonc", ".yaml", ".yml", ".xml", ".html",
                                       ".htm", ".md", ".txt", ".svg", ".png", ".gp", ".dot", ".pdf"});
  const std::string ending = config::to_lower_ascii(std::filesystem::path(file).extension().string());
  if (std::find(others.begin(), others.end(), ending) == others.end()) {
    return std::nullopt;
  }
  return bad_value("--output", file,
                   "a sweep is stored as SQLite, such as rates.sqlite; `spillway sweep show rates.sqlite -o csv` "
                   "prints it as a table, `spillway sweep plot` draws it");
}

CommandResult run_sweep(const Arguments& arguments, const HandOut& hand_out) {
  if (!arguments.output) {
    return refuse(problem("SP903", "`spillway sweep` needs a file for its results", "for example -o rates.sqlite"),
                  arguments);
  }
  if (const auto wrong = check_name_of_results(*arguments.output)) {
    return refuse(*wrong, arguments);
  }
  const auto shard = shard_of(arguments);
  if (const auto* wrong = std::get_if<UsageProblem>(&shard)) {
    return refuse(*wrong, arguments);
  }
  const auto text = text_of(arguments);
  if (const auto* wrong = std::get_if<UsageProblem>(&text)) {
    return refuse(*wrong, arguments);
  }
  const auto read = sweep::read_sweep(std::get<sweep::SweepText>(text));
  if (const auto* wrong = std::get_if<scenario::Reading>(&read)) {
    say_diagnostics(*wrong, arguments);
    return {"", ExitCode::bad_input};
  }
  const auto& swept = std::get<sweep::Sweep>(read);
  if (swept.space().keys().empty() && arguments.sweep.variants.empty()) {
    return refuse(problem("SP903", "`spillway sweep` needs keys",
                          "for example --over 'clients[shop].workload.rate=100..2000/20', or `sweep:` in the scenario"),
                  arguments);
  }
  const sweep::Definition definition = swept.definition(SPILLWAY_VERSION);
  const Completing completing;
  sweep::Store store(*arguments.output, definition,
                     {.shard = std::get<sweep::Shard>(shard),
                      .event_names = reports::event_kind_names(),
                      .alone = arguments.sweep.shard && sweep::network_file_system(*arguments.output)});
  sweep::Simulated simulated;
  {
    SweepProgress progress(store.done(), store.points());
    simulated = sweep::simulate(swept, definition, store,
                                {.jobs = arguments.jobs,
                                 .simulated = [&](std::uint64_t points) { progress.show(points); },
                                 .hand_out = hand_out});
  }
  CommandResult result = end_of(arguments, simulated, store.done(), store.points());
  if (arguments.report && !simulated.stopped) {
    if (const auto wrong = write_sweep_page(arguments, *arguments.output)) {
      return refuse(*wrong, arguments);
    }
  }
  return result;
}

}  // namespace

CommandResult work_on_sweep(const Arguments& arguments, run::ForkedStream stream) {
  const auto text = text_of(arguments);
  if (std::holds_alternative<UsageProblem>(text)) {
    return {"", ExitCode::bad_input};
  }
  const auto read = sweep::read_sweep(std::get<sweep::SweepText>(text));
  if (std::holds_alternative<scenario::Reading>(read)) {
    return {"", ExitCode::bad_input};
  }
  const auto& swept = std::get<sweep::Sweep>(read);
  const sweep::Definition definition = swept.definition(SPILLWAY_VERSION);
  stream.work = [&](std::size_t point) {
    return sweep::figures_to_bytes({swept.simulate(sweep::place_of(definition, point))});
  };
  run::fork_each(1, stream);
  return {};
}

CommandResult sweep_command(const Arguments& arguments, const HandOut& hand_out) {
  try {
    if (reads_sweep(arguments)) {
      return sweep_results(arguments);
    }
    if (arguments.paths.size() > 1) {
      return refuse(problem("SP905", fmt::format("unexpected argument `{}`", printable(arguments.paths.back()))),
                    arguments);
    }
    return run_sweep(arguments, hand_out);
  } catch (const sweep::StoreProblem& wrong) {
    return refuse_store(wrong, arguments);
  }
}

namespace {

void add_sweep_options(CLI::App& app, RawArguments& raw) {
  add_report(app, raw);
  add_width(app, raw);
  SweepArguments& sweep = raw.sweep;
  option(
      app, "Sweep", "KEY=VALUES", "--over", sweep.over,
      "A key by its path and its values: a list 10,50,100, a range 50..90, 100..2000/20 (20 values) or\n1ms..1s/7log; "
      "may repeat, for all combinations")
      ->allow_extra_args(false);
  option(app, "Sweep", "FILE", "--from-csv", sweep.csv,
         "A table: keys in its first line, a combination in each other line");
  option(app, "Sweep", "DESIGN", "--design", sweep.design,
         "grid, latin or sobol (points spread over many keys), morris or saltelli (for sensitivity); default: grid");
  option(app, "Sweep", "NUMBER", "--samples", sweep.samples, "Points of a design other than grid");
  option(app, "Sweep", "FILE", "--variant", sweep.variants, "A further scenario, another side of the sweep; may repeat")
      ->allow_extra_args(false);
  option(app, "Sweep", "I/N", "--shard", sweep.shard,
         "Only every N-th point, from the I-th, counted from 1: for many machines, a file each");
  option(app, "Simulation", "NUMBER", "--seed", raw.seed, "Seed of all draws (default: the scenario's)");
  option(app, "Simulation", "MODE", "--mode", raw.mode, "exact, requests or platform (default: the scenario's)");
  option(app, "Simulation", "NUMBER", "--replications", raw.replications,
         "Replications of each point with draws of their own, the same for all points (default: 1)");
  option(app, "Simulation", "NUMBER", "-j,--jobs", raw.jobs, "Points simulated at the same time (default: 1)");
  option(
      app, "Output", "WHAT", "-o,--output", raw.output,
      "The sweep's file, created or continued. Of show: table, markdown, csv or json; of plot: FILE.svg, .png or .gp; "
      "of sensitivity: either");
  option(app, "Show", "KEY", "--x", sweep.x, "The key of rows, or of the axis (default: the first)");
  option(app, "Show", "FIGURE", "--y", sweep.y,
         "failed, p50, p90, p95, p99, p999, longest, utilisation, cross_zone, sent, ok, retries, a kind of failure "
         "such as "
         "timeout, a happening such as ejected, share:ZONE or share:P1 (default: failed)");
  option(app, "Show", "KEY", "--by", sweep.by, "The key of columns, or of curves; side: the scenario");
  option(app, "Show", "KEY=VALUE", "--where", sweep.where, "Only points with this value; may repeat")
      ->allow_extra_args(false);
  app.add_flag("--points", sweep.points, "Every point, with the command that simulates it again")->group("Show");
  option(app, "Show", "NUMBER", "--point", sweep.point, "Only this point: its inputs, figures and that command");
}

}  // namespace

const Command commands::sweep{
    .name = "sweep",
    .group = "Plan",
    .summary = "Simulate a scenario with many values of its keys; show and plot the results",
    .usage = "SCENARIO --over KEY=VALUES... -o FILE",
    .path_name = "SCENARIO",
    .path_help =
        "Scenario file; or show FILE, plot FILE, sensitivity FILE (results of a sweep), merge FILE SHARD... (joins "
        "shards)",
    .example =
        "  spillway sweep shop.yaml --over 'clients[shop].workload.rate=100..2000/20' --replications 5 -j 2 -o "
        "rates.sqlite\n"
        "  spillway sweep show rates.sqlite --x rate --y p99\n"
        "  spillway sweep show rates.sqlite --report rates.html\n"
        "  spillway sweep plot rates.sqlite --x rate --y failed -o rates.svg",
    .add_options = add_sweep_options,
    .check = check_any_path,
    .execute = [](const Arguments& arguments) { return sweep_command(arguments, {}); }};

}  // namespace spillway::cli
