#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/diagnostic_codes.hpp"

namespace spillway::cli {
namespace {

CommandResult explain(const std::string& code, const Arguments& arguments) {
  const std::string text = scenario::explain_diagnostic_code(code);
  if (text.empty()) {
    return refuse(
        {"SP904", "`" + reports::printable(code) + "` is no diagnostic's code", "docs/diagnostics.md lists them"},
        arguments);
  }
  return {text, ExitCode::well};
}

}  // namespace

CommandResult validate_command(const Arguments& arguments) {
  if (arguments.explain) {
    return explain(*arguments.explain, arguments);
  }
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
