#include "cli/print_report.hpp"

#include <string>

#include "cli/commands.hpp"
#include "cli/dump_check_output.hpp"
#include "cli/pasted_input.hpp"
#include "cli/terminal.hpp"

namespace spillway::cli {

CommandResult print_report(const Arguments& arguments, const reports::Report& report, const reports::Dimensions& by,
                           ExitCode code) {
  DumpCheckOutput output;
  bool first = true;
  reports::write(report, arguments.format, by, look_of_output(arguments), [&](std::string_view piece) {
    std::string text = fitted_to_output(arguments, std::string(piece));
    if (first && arguments.format == reports::Format::json) {
      insert_assumed(text);
    }
    first = false;
    output.append(text);
  });
  if (const std::string failure = output.print(); !failure.empty() && !reader_has_exited()) {
    return refuse({"SP908", "cannot write to standard output: " + failure, ""});
  }
  return {"", code};
}

}  // namespace spillway::cli
