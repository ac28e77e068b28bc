#include <algorithm>

#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "reports/text_table.hpp"

namespace spillway::cli {

CommandResult validate_command(const Arguments& arguments) {
  const auto readings = read_all(arguments.paths, arguments);
  if (!readings) {
    return {"", ExitCode::bad_input};
  }
  std::string text;
  for (const scenario::Reading& reading : *readings) {
    const std::size_t warnings = reading.diagnostics.size();
    text += reports::printable(reading.sources.front().name) + ": valid";
    text += warnings == 0 ? "\n" : ", " + std::to_string(warnings) + (warnings == 1 ? " warning\n" : " warnings\n");
  }
  return {text, ExitCode::well};
}

}  // namespace spillway::cli
