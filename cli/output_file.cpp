#include "cli/output_file.hpp"

#include <fmt/format.h>
#include <fstream>

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

}  // namespace spillway::cli
