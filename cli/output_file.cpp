#include "cli/output_file.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <system_error>

#include "cli/argument_values.hpp"
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
