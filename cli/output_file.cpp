#include "cli/output_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>

#include "cli/argument_values.hpp"
#include "cli/arguments.hpp"
#include "cli/input.hpp"
#include "cli/line_file.hpp"
#include "cli/usage_problem.hpp"
#include "reports/formats.hpp"
#include "reports/html/report.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/shares/printed_cells.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::cli {

std::optional<UsageProblem> write_file(const std::string& path, const std::string& text) {
  return write_file(path, [&](const reports::Sink& sink) { sink(text); });
}

std::optional<UsageProblem> write_file(const std::string& path,
                                       const std::function<void(const reports::Sink&)>& write) {
  LineFile file(path, LineFile::Appears::whole);
  write([&](std::string_view piece) { file.append(piece); });
  if (const std::string failure = file.finish(); !failure.empty()) {
    return problem("SP908", fmt::format("cannot write `{}`: {}", reports::printable(path), failure));
  }
  return std::nullopt;
}

namespace {

std::string whole(double number) {
  return reports::with_thousands(static_cast<std::uint64_t>(number));
}

}  // namespace

std::optional<UsageProblem> check_output_size(const scenario::Scenario& scenario, const PrintedTables& tables,
                                              const reports::Dimensions& by, const std::string& option) {
  const double loads = tables.endpoints ? reports::printed_loads(scenario, {}) : 0.0;
  const double samples = tables.samples ? reports::printed_loads(scenario, tables.samples) : 0.0;
  const double lists = static_cast<double>(tables.shares) + static_cast<double>(tables.cross_zone);
  if (lists * reports::most_cells(scenario) + loads + samples <= reports::most_printed_cells) {
    return std::nullopt;
  }
  struct Part {
    double rows;
    const char* what;
  };
  const Part parts[] = {
      {tables.shares ? reports::printed_cells(scenario, by) : 0.0, "shares: clients x epochs x endpoints"},
      {tables.cross_zone ? reports::printed_crossings(scenario, by) : 0.0,
       "rows from zone to zone: clients x epochs x pairs of zones"},
      {loads, "rows of endpoints: endpoints x epochs"},
      {samples, "rows of samples: endpoints x intervals of --sample"}};
  double all = 0.0;
  const Part* largest = parts;
  for (const Part& part : parts) {
    all += part.rows;
    largest = part.rows > largest->rows ? &part : largest;
  }
  if (all <= reports::most_printed_cells) {
    return std::nullopt;
  }
  const std::string most = whole(reports::most_printed_cells);
  const bool alone = largest->rows > reports::most_printed_cells;
  std::string help;
  if (largest == parts || largest == parts + 1) {
    const reports::Dimensions fewer = reports::fewer_dimensions(scenario, by.without(reports::Dimension::endpoint));
    const reports::Dimensions asked = largest == parts && alone ? reports::fewer_dimensions(scenario, by)
                                      : reports::printed_crossings(scenario, fewer) <= reports::most_printed_cells
                                          ? fewer
                                          : fewer.without(reports::Dimension::client);
    help = fmt::format("at most {} are printed; `--by {}` asks for {}", most, reports::names_of(asked),
                       whole(largest == parts ? reports::printed_cells(scenario, asked)
                                              : reports::printed_crossings(scenario, asked)));
  } else if (largest == parts + 2) {
    help = fmt::format("at most {} are printed; `-o csv --by zone` prints shares alone", most);
  } else {
    help = fmt::format("at most {} are printed; ask for a longer interval", most);
  }
  return problem("SP925",
                 alone ? fmt::format("`{}` would print up to {} {}", option, whole(largest->rows), largest->what)
                       : fmt::format("`{}` would print up to {} rows, {} of them {}", option, whole(all),
                                     whole(largest->rows), largest->what),
                 help);
}

PrintedTables printed_tables(const Arguments& arguments) {
  const bool all = arguments.format == reports::Format::json;
  return {.shares = all || arguments.show == reports::Show::shares,
          .cross_zone = all || arguments.show == reports::Show::cross_zone,
          .endpoints = all || arguments.show == reports::Show::endpoints,
          .samples = arguments.sample};
}

std::optional<UsageProblem> check_report_size(const scenario::Scenario& scenario, bool counts) {
  constexpr double most = 200'000;
  const reports::Dimensions by = reports::default_dimensions(reports::Format::table, scenario);
  const double shares = reports::printed_cells(scenario, by);
  const double stretches =
      counts ? static_cast<double>(reports::printed_tables(scenario)) * reports::html::most_stretches : 0.0;
  if (std::max(shares, stretches) <= most) {
    return std::nullopt;
  }
  return problem(
      "SP928",
      shares > most
          ? fmt::format("`--report` would show up to {} shares: clients x epochs x groups of endpoints", whole(shares))
          : fmt::format("`--report` would show {} latencies: clients x {} stretches of time", whole(stretches),
                        reports::html::most_stretches),
      fmt::format("a page holds at most {}; merge identical clients into one entry with a `count`, or print all "
                  "clients together: `-o markdown --by priority,zone`",
                  whole(most)));
}

std::string output_option(const Arguments& arguments) {
  const std::string format = "-o " + reports::format_names()[static_cast<std::size_t>(arguments.format)];
  return arguments.by ? format + " --by " + reports::names_of(*arguments.by) : format;
}

namespace {

struct OutputFile {
  const char* option;
  std::string path;
};

std::vector<OutputFile> output_files(const Arguments& arguments) {
  std::vector<OutputFile> files;
  const auto add = [&](const char* option, const std::optional<std::string>& path) {
    if (path && *path != "-") {
      files.push_back({option, *path});
    }
  };
  add("--report", arguments.report);
  add("--trace", arguments.trace);
  add("--metrics", arguments.metrics);
  add("--events", arguments.events);
  add("--junit", arguments.junit);
  add("-o", arguments.picture);
  add("-o", arguments.output);
  return files;
}

std::vector<std::string> input_files(const Arguments& arguments) {
  std::vector<std::string> files = arguments.paths;
  if (const auto found = find_scenarios(arguments.paths); std::holds_alternative<std::vector<std::string>>(found)) {
    files = std::get<std::vector<std::string>>(found);
  }
  if (arguments.world) {
    files.push_back(*arguments.world);
  }
  return files;
}

bool are_one_file(const std::string& one, const std::string& other) {
  std::error_code unknown;  // also set if a file does not exist
  const auto name = [&](const std::string& path) { return std::filesystem::weakly_canonical(path, unknown); };
  return std::filesystem::equivalent(one, other, unknown) || name(one) == name(other);
}

}  // namespace

std::optional<UsageProblem> check_output_files(const Arguments& arguments) {
  // Folders are searched for inputs only if there are files to write.
  return output_files(arguments).empty() ? std::nullopt : check_output_files(arguments, input_files(arguments));
}

std::optional<UsageProblem> check_output_files(const Arguments& arguments, const std::vector<std::string>& inputs) {
  const std::vector<OutputFile> outputs = output_files(arguments);
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    std::error_code unknown;
    const auto there = std::filesystem::status(output->path, unknown);
    if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there)) {
      continue;  // /dev/null may be named twice
    }
    for (const std::string& input : inputs) {
      if (are_one_file(output->path, input)) {
        return problem("SP940", fmt::format("`{}` would overwrite `{}`", output->option, reports::printable(input)),
                       "this command reads that file; name another one");
      }
    }
    const auto same = std::find_if(outputs.begin(), output,
                                   [&](const OutputFile& other) { return are_one_file(other.path, output->path); });
    if (same != output) {
      return problem("SP940",
                     fmt::format("`{}` and `{}` would both write `{}`", same->option, output->option,
                                 reports::printable(output->path)),
                     "name a file for each");
    }
  }
  return std::nullopt;
}

}  // namespace spillway::cli
