#include "sim/sweep/sweep.hpp"

#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/control_plane.hpp"
#include "cli/drawing_program.hpp"
#include "cli/ending.hpp"
#include "cli/input.hpp"
#include "cli/output_file.hpp"
#include "cli/terminal.hpp"
#include "reports/requests/happenings.hpp"
#include "reports/sweep/sensitivity_report.hpp"
#include "reports/sweep/show.hpp"
#include "reports/sweep/sweep_plot.hpp"
#include "reports/text/percent.hpp"
#include "sim/sweep/query.hpp"
#include "sim/sweep/store.hpp"

namespace spillway::cli {
namespace {

using reports::printable;

CommandResult refuse_store(const sweep::StoreProblem& wrong, const Arguments& arguments) {
  return refuse(UsageProblem{wrong.code, printable(wrong.what()), printable(wrong.help)}, arguments);
}

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::variant<sweep::Shard, UsageProblem> shard_of(const Arguments& arguments) {
  if (!arguments.sweep.shard) {
    return sweep::Shard{};
  }
  const std::string& text = *arguments.sweep.shard;
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto index = number_in<std::uint64_t>(std::string_view(text).substr(0, slash));
  const auto count = slash < text.size() ? number_in<std::uint64_t>(std::string_view(text).substr(slash + 1))
                                         : std::optional<std::uint64_t>();
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
  text.replications = arguments.replications.value_or(1);
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
                   : problem("SP905", "`--samples` in a grid, which has all combinations",
                             "add --design latin or --design sobol");
  }
  if (sampled) {
    const auto samples = number_in<std::uint64_t>(*arguments.sweep.samples);
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
      return problem("SP906", fmt::format("cannot read `{}`", printable(*arguments.sweep.csv)));
    }
    text.space.csv_name = *arguments.sweep.csv;
    text.space.csv_text = bytes.str();
  }
  if (text.space.over.empty() && !text.space.csv_name && text.variants.empty()) {
    return problem("SP903", "`spillway sweep` needs keys",
                   "for example --over 'clients[shop].workload.rate=100..2000/20'");
  }
  return text;
}

// "1 m 20 s": what people want to know is minutes, not figures.
std::string time_text(double seconds) {
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

  void show(std::uint64_t played) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
    const double left = static_cast<double>(all_ - std::min(all_, before_ + played));
    bar_.show(static_cast<double>(before_ + played) / static_cast<double>(std::max<std::uint64_t>(all_, 1)),
              fmt::format("{} of {} points, {} left", reports::with_thousands(before_ + played),
                          reports::with_thousands(all_), time_text(left * seconds / static_cast<double>(played))));
  }

 private:
  ProgressBar bar_{"sweeping"};
  std::uint64_t before_;
  std::uint64_t all_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

CommandResult end_of(const Arguments& arguments, const sweep::Played& played, std::uint64_t done,
                     std::uint64_t points) {
  const std::string& file = *arguments.output;
  const std::string of = fmt::format("{} of {} points", reports::with_thousands(done), reports::with_thousands(points));
  if (played.stopped) {
    say(fmt::format("{}: {} are in {}; the same command goes on with the rest\n", ending_text(), of, printable(file)));
    return {};
  }
  if (!played.failures.empty()) {
    for (const std::string& failure : played.failures) {
      say(fmt::format("internal error: {}\n", printable(failure)));
    }
    say(fmt::format("{} are in {}; the same command tries the others again\n", of, printable(file)));
    return {"", ExitCode::internal_error};
  }
  std::string text = fmt::format(" {} in {}, {} of them by this command\n", of, printable(file),
                                 reports::with_thousands(played.points));
  if (done < points) {
    text += " another process simulates the others\n";
  }
  return {text, ExitCode::well};
}

CommandResult play_sweep(const Arguments& arguments, const HandOut& hand_out) {
  if (!arguments.output) {
    return refuse(problem("SP903", "`spillway sweep` needs a file for what comes out", "for example -o rates.sqlite"),
                  arguments);
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
  const sweep::Definition definition = swept.definition(SPILLWAY_VERSION);
  const Completing completing;
  sweep::Store store(*arguments.output, definition,
                     {.shard = std::get<sweep::Shard>(shard),
                      .happening_names = reports::happening_kind_names(),
                      .alone = arguments.sweep.shard && sweep::network_file_system(*arguments.output)});
  sweep::Played played;
  {
    SweepProgress progress(store.done(), store.points());
    played = sweep::play(
        swept, definition, store,
        {.jobs = arguments.jobs, .played = [&](std::uint64_t points) { progress.show(points); }, .hand_out = hand_out});
  }
  return end_of(arguments, played, store.done(), store.points());
}

sweep::Question question_of(const Arguments& arguments) {
  sweep::Question question;
  question.x = arguments.sweep.x.value_or("");
  question.y = arguments.sweep.y.value_or("failed");
  question.by = arguments.sweep.by.value_or("");
  question.happening_names = reports::happening_kind_names();
  for (const std::string& where : arguments.sweep.where) {
    const std::size_t equals = where.rfind('=');
    if (equals == 0 || equals == std::string::npos) {
      throw sweep::StoreProblem("SP904", fmt::format("`{}` is no value of --where", where),
                                "it takes KEY=VALUE, such as rate=500");
    }
    question.where.emplace_back(where.substr(0, equals), where.substr(equals + 1));
  }
  return question;
}

std::variant<reports::Format, UsageProblem> format_of(const Arguments& arguments) {
  if (!arguments.output) {
    return reports::Format::table;
  }
  if (const auto format = reports::format_of(*arguments.output)) {
    return *format;
  }
  return bad_value("--output", *arguments.output, "it takes one of " + reports::joined(reports::format_names(), ", "),
                   reports::format_names());
}

CommandResult show_sweep(const Arguments& arguments) {
  const auto format = format_of(arguments);
  if (const auto* wrong = std::get_if<UsageProblem>(&format)) {
    return refuse(*wrong, arguments);
  }
  const sweep::Series series = sweep::read_series(arguments.paths[1], question_of(arguments));
  return {reports::format_series(series, std::get<reports::Format>(format)), ExitCode::well};
}

CommandResult plot_sweep(const Arguments& arguments) {
  const std::string file = arguments.output.value_or("");
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending != ".svg" && ending != ".png" && ending != ".gp") {
    return refuse(
        file.empty()
            ? problem("SP903", "`spillway sweep plot` needs a file for the picture", "for example -o rates.svg")
            : bad_value("--output", file, "it takes a name that ends in .svg, .png or .gp (gnuplot)"),
        arguments);
  }
  const auto image = ending == ".png" ? reports::plot::Image::png : reports::plot::Image::svg;
  const sweep::Series series = sweep::read_series(arguments.paths[1], question_of(arguments));
  std::string drawn = reports::sweep_plot(series, image);
  if (ending != ".gp") {
    auto picture = draw(reports::plot::Program::gnuplot, image, drawn, arguments.timeout);
    if (const auto* wrong = std::get_if<UsageProblem>(&picture)) {
      return refuse(*wrong, arguments);
    }
    drawn = std::get<std::string>(std::move(picture));
  }
  if (const auto failure = write_file(file, drawn)) {
    return refuse(*failure, arguments);
  }
  return {file + '\n', ExitCode::well};
}

CommandResult show_sensitivity(const Arguments& arguments) {
  const auto format = format_of(arguments);
  if (const auto* wrong = std::get_if<UsageProblem>(&format)) {
    return refuse(*wrong, arguments);
  }
  const sweep::Sensitivity found = sweep::read_sensitivity(arguments.paths[1], question_of(arguments));
  return {reports::format_sensitivity(found, std::get<reports::Format>(format)), ExitCode::well};
}

CommandResult merge_sweeps(const Arguments& arguments) {
  if (arguments.paths.size() < 3) {
    return refuse(problem("SP903", "`spillway sweep merge` needs a file and its shards",
                          "for example spillway sweep merge all.sqlite shard-1.sqlite shard-2.sqlite"),
                  arguments);
  }
  const std::vector<std::string> shards(arguments.paths.begin() + 2, arguments.paths.end());
  const std::uint64_t added = sweep::merge(arguments.paths[1], shards);
  return {fmt::format(" {} points added to {}\n", reports::with_thousands(added), printable(arguments.paths[1])),
          ExitCode::well};
}

}  // namespace

CommandResult sweep_command(const Arguments& arguments) {
  return sweep_command(arguments, {});
}

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
    return sweep::figures_to_bytes(swept.play(sweep::place_of(definition, point)));
  };
  run::fork_each(1, stream);
  return {};
}

CommandResult sweep_command(const Arguments& arguments, const HandOut& hand_out) {
  const std::string& first = arguments.paths.front();
  const bool reads = first == "show" || first == "draw" || first == "merge" || first == "sensitivity";
  try {
    if (reads && arguments.paths.size() < 2) {
      return refuse(problem("SP903", fmt::format("`spillway sweep {}` needs the file of a sweep", first)), arguments);
    }
    if (first == "merge") {
      return merge_sweeps(arguments);
    }
    if (arguments.paths.size() > (reads ? 2 : 1)) {
      return refuse(problem("SP905", fmt::format("unexpected argument `{}`", printable(arguments.paths.back()))),
                    arguments);
    }
    return first == "show"          ? show_sweep(arguments)
           : first == "draw"        ? plot_sweep(arguments)
           : first == "sensitivity" ? show_sensitivity(arguments)
                                    : play_sweep(arguments, hand_out);
  } catch (const sweep::StoreProblem& wrong) {
    return refuse_store(wrong, arguments);
  }
}

}  // namespace spillway::cli
