#include "cli/output_file.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <system_error>

#include "cli/argument_values.hpp"
#include "reports/formats.hpp"
#include "reports/percent.hpp"
#include "reports/printed_cells.hpp"
#include "reports/text_table.hpp"

namespace spillway::cli {

std::optional<UsageProblem> write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file.fail()) {
    return problem("SP908", fmt::format("cannot write `{}`", reports::printable(path)));
  }
  return std::nullopt;
}

std::optional<UsageProblem> check_output_size(const scenario::Scenario& scenario, const reports::Dimensions& by,
                                              const std::string& option) {
  const double cells = reports::printed_cells(scenario, by);
  if (cells <= reports::most_printed_cells) {
    return std::nullopt;
  }
  const reports::Dimensions fewer = reports::fewer_dimensions(scenario, by);
  return problem(
      "SP925",
      fmt::format("`{}` would print up to {} shares: clients x epochs x endpoints", option,
                  reports::with_thousands(static_cast<std::uint64_t>(cells))),
      fmt::format("at most {} are printed; `--by {}` asks for {}",
                  reports::with_thousands(static_cast<std::uint64_t>(reports::most_printed_cells)),
                  reports::names_of(fewer),
                  reports::with_thousands(static_cast<std::uint64_t>(reports::printed_cells(scenario, fewer)))));
}

std::string output_option(const Arguments& arguments) {
  const std::string format = "-o " + reports::format_names()[static_cast<std::size_t>(arguments.format)];
  return arguments.by ? format + " --by " + reports::names_of(*arguments.by) : format;
}

std::optional<UsageProblem> check_report_file(const Arguments& arguments) {
  if (!arguments.report) {
    return std::nullopt;
  }
  for (const std::string& path : arguments.paths) {
    std::error_code unknown;  // also where one of them does not exist
    if (std::filesystem::equivalent(path, *arguments.report, unknown)) {
      return problem("SP940", fmt::format("the report would overwrite `{}`", reports::printable(path)),
                     "name another file, such as report.html");
    }
  }
  return std::nullopt;
}

}  // namespace spillway::cli
