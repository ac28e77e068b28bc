// Prints results on standard output while they are formatted.
#pragma once

namespace spillway::reports {
class Dimensions;  // group_by.hpp
struct Report;     // formats.hpp
}  // namespace spillway::reports

namespace spillway::cli {

enum class ExitCode : int;  // commands.hpp
struct Arguments;           // arguments.hpp
struct CommandResult;       // commands.hpp

// Prints in the selected format. Returns `code` if everything could be written, otherwise SP908.
[[nodiscard]] CommandResult print_report(const Arguments& arguments, const reports::Report& report,
                                         const reports::Dimensions& by, ExitCode code);

}  // namespace spillway::cli
