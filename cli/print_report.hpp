// Results go to standard output while they are formatted.
#pragma once

namespace spillway::reports {
class Dimensions;  // group_by.hpp
struct Report;     // formats.hpp
}  // namespace spillway::reports

namespace spillway::cli {

enum class ExitCode : int;  // commands.hpp
struct Arguments;           // arguments.hpp
struct CommandResult;       // commands.hpp

// In the format that was asked for. `code` is how the command ends if all of it could be written, else it is SP908.
[[nodiscard]] CommandResult print_report(const Arguments& arguments, const reports::Report& report,
                                         const reports::Dimensions& by, ExitCode code);

}  // namespace spillway::cli
