#include <fmt/format.h>
#include <string>

#include "cli/commands.hpp"
#include "cli/terminal.hpp"

namespace spillway::cli {

CommandResult refuse(const UsageProblem& problem, const Arguments& arguments) {
  const bool color = colors(Stream::error, arguments.color);
  const std::string head = fmt::format("error[{}]", problem.code);
  say(fmt::format("{}: {}\n", color ? "\x1b[1;31m" + head + "\x1b[0m" : head, problem.message));
  if (!problem.help.empty()) {
    say(fmt::format("  = help: {}\n", problem.help));
  }
  return {"", ExitCode::bad_input};
}

}  // namespace spillway::cli
