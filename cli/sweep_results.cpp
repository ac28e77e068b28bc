#include "cli/sweep_results.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <set>

#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/drawing_program.hpp"
#include "cli/output_file.hpp"
#include "cli/terminal.hpp"
#include "reports/html/report.hpp"
#include "reports/requests/event_log.hpp"
#include "reports/sweep/points_report.hpp"
#include "reports/sweep/sensitivity_report.hpp"
#include "reports/sweep/show.hpp"
#include "reports/sweep/sweep_plot.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/sweep/points.hpp"
#include "sim/sweep/query.hpp"
#include "sim/sweep/sensitivity.hpp"
#include "sim/sweep/store.hpp"

namespace spillway::cli {
namespace {

using reports::printable;

sweep::Question question_of(const Arguments& arguments) {
  sweep::Question question;
  question.x = arguments.sweep.x.value_or("");
  question.y = arguments.sweep.y.value_or("failed");
  question.by = arguments.sweep.by.value_or("");
  question.event_names = reports::event_kind_names();
  for (const std::string& where : arguments.sweep.where) {
    const std::size_t equals = where.rfind('=');
    if (equals == 0 || equals == std::string::npos) {
      throw sweep::StoreProblem("SP904", fmt::format("`{}` is not a valid value for --where", where),
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

sweep::PointQuestion points_asked(const Arguments& arguments) {
  sweep::PointQuestion asked;
  const sweep::Question question = question_of(arguments);
  asked.where = question.where;
  asked.event_names = question.event_names;
  return asked;
}

CommandResult show_points(const Arguments& arguments, reports::Format format) {
  sweep::PointQuestion asked = points_asked(arguments);
  if (arguments.sweep.y || !arguments.sweep.point) {
    asked.figures = {question_of(arguments).y};
  }
  if (!arguments.sweep.point) {
    return {reports::format_points(sweep::read_points(arguments.paths[1], asked), format, look_of_output(arguments)),
            ExitCode::well};
  }
  const std::string& text = *arguments.sweep.point;
  asked.point = whole_number_in(text);
  if (!asked.point) {
    return refuse(bad_value("--point", text, "it takes the number of a point, from 0"), arguments);
  }
  return {reports::format_point(sweep::read_points(arguments.paths[1], asked), format, look_of_output(arguments)),
          ExitCode::well};
}

CommandResult show_sweep(const Arguments& arguments) {
  const auto format = format_of(arguments);
  if (const auto* wrong = std::get_if<UsageProblem>(&format)) {
    return refuse(*wrong, arguments);
  }
  if (arguments.report) {
    if (const auto wrong = write_sweep_page(arguments, arguments.paths[1])) {
      return refuse(*wrong, arguments);
    }
  }
  if (arguments.sweep.points || arguments.sweep.point) {
    return show_points(arguments, std::get<reports::Format>(format));
  }
  const sweep::Series series = sweep::read_series(arguments.paths[1], question_of(arguments));
  return {reports::format_series(series, std::get<reports::Format>(format), look_of_output(arguments)), ExitCode::well};
}

// Explains why there is nothing to draw (SP956).
UsageProblem nothing_to_draw(const sweep::Series& series, const std::string& file) {
  if (!series.rows.empty()) {
    return problem("SP956", fmt::format("nothing to draw: none of the chosen points has `{}`", series.figure.name),
                   fmt::format("`spillway sweep show {} --points -o json` lists what they have", printable(file)));
  }
  return problem(
      "SP956",
      fmt::format("nothing to draw: no simulated point is chosen; of {} points in the file the scenario refuses {}",
                  reports::with_thousands(series.done), reports::with_thousands(series.refused)),
      fmt::format("`spillway sweep show {} --points -o json` lists them, with why each was refused", printable(file)));
}

std::variant<std::string, UsageProblem> script_of(const Arguments& arguments, reports::plot::Image image) {
  const std::string& file = arguments.paths[1];
  if (arguments.paths.front() == "sensitivity") {
    return reports::sensitivity_plot(sweep::read_sensitivity(file, question_of(arguments)), image);
  }
  const sweep::Series series = sweep::read_series(file, question_of(arguments));
  if (series.cells.empty()) {
    return nothing_to_draw(series, file);
  }
  return reports::sweep_plot(series, image);
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
  auto script = script_of(arguments, image);
  if (const auto* wrong = std::get_if<UsageProblem>(&script)) {
    return refuse(*wrong, arguments);
  }
  std::string drawn = std::get<std::string>(std::move(script));
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
  if (std::filesystem::path(arguments.output.value_or("")).has_extension()) {
    return plot_sweep(arguments);
  }
  const auto format = format_of(arguments);
  if (const auto* wrong = std::get_if<UsageProblem>(&format)) {
    return refuse(*wrong, arguments);
  }
  const sweep::Sensitivity found = sweep::read_sensitivity(arguments.paths[1], question_of(arguments));
  return {reports::format_sensitivity(found, std::get<reports::Format>(format), look_of_output(arguments)),
          ExitCode::well};
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

// Returns the figure that a page shows initially: one that varies between points.
std::string figure_that_varies(const sweep::PointTable& table) {
  std::vector<std::string> by_interest{"failed", "p99", "utilisation", "cross_zone"};
  for (const sweep::Figure& figure : table.figures) {
    by_interest.push_back(figure.name);
  }
  for (const std::string& name : by_interest) {
    const auto figure = std::find_if(table.figures.begin(), table.figures.end(),
                                     [&](const sweep::Figure& one) { return one.name == name; });
    const auto column = static_cast<std::size_t>(figure - table.figures.begin());
    std::set<double> values;
    for (const sweep::StoredPoint& point : table.points) {
      if (figure != table.figures.end() && point.figures[column]) {
        values.insert(*point.figures[column]);
      }
    }
    if (values.size() > 1) {
      return name;
    }
  }
  return by_interest.front();
}

}  // namespace

std::optional<std::uint64_t> whole_number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

bool reads_sweep(const Arguments& arguments) {
  const std::string& first = arguments.paths.front();
  return first == "show" || first == "draw" || first == "merge" || first == "sensitivity";
}

CommandResult sweep_results(const Arguments& arguments) {
  const std::string& first = arguments.paths.front();
  const std::string word = first == "draw" ? "plot" : first;
  if (arguments.paths.size() < 2) {
    return refuse(problem("SP903", fmt::format("`spillway sweep {}` needs the file of a sweep", word)), arguments);
  }
  if (first == "merge") {
    return merge_sweeps(arguments);
  }
  if (arguments.paths.size() > 2) {
    return refuse(problem("SP905", fmt::format("unexpected argument `{}`", printable(arguments.paths.back()))),
                  arguments);
  }
  return first == "show"   ? show_sweep(arguments)
         : first == "draw" ? plot_sweep(arguments)
                           : show_sensitivity(arguments);
}

std::optional<UsageProblem> write_sweep_page(const Arguments& arguments, const std::string& file) {
  sweep::PointQuestion asked = points_asked(arguments);
  asked.most = reports::html::most_points_of_page;
  const sweep::PointTable table = sweep::read_points(file, asked);
  sweep::Question opens = question_of(arguments);
  opens.y = arguments.sweep.y.value_or(figure_that_varies(table));
  const sweep::Series series = sweep::read_series(file, opens);
  const std::string command = reports::sweep_command(table);
  const std::string page =
      reports::html::sweep_page({.points = table,
                                 .title = table.sides.empty() ? file : table.sides.front().name,
                                 .text = reports::format_series(series, reports::Format::table, {}),
                                 .x = series.x,
                                 .y = series.figure.name,
                                 .by = series.by},
                                {SPILLWAY_VERSION, command.empty() ? arguments.command_line : command});
  return write_file(*arguments.report, page);
}

}  // namespace spillway::cli
