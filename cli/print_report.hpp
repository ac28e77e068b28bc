// Results go to standard output while they are formatted.
#pragma once

#include "cli/commands.hpp"
#include "reports/formats.hpp"

namespace spillway::cli {

// In the format that was asked for. `code` is how the command ends if all of it could be written, else it is SP908.
[[nodiscard]] CommandResult print_report(const Arguments& arguments, const reports::Report& report,
                                         const reports::Dimensions& by, ExitCode code);

}  // namespace spillway::cli
