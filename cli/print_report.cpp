#include "cli/print_report.hpp"

#include <string>

#include "cli/terminal.hpp"

namespace spillway::cli {

CommandResult print_report(const Arguments& arguments, const reports::Report& report, const reports::Dimensions& by,
                           ExitCode code) {
  std::string failure;
  reports::write(report, arguments.format, by, look_of_output(arguments), [&](std::string_view piece) {
    if (failure.empty()) {
      failure = write_all(Stream::output, fitted_to_output(arguments, std::string(piece)));
    }
  });
  if (!failure.empty()) {
    return refuse({"SP908", "cannot write to standard output: " + failure, ""});
  }
  return {"", code};
}

}  // namespace spillway::cli
