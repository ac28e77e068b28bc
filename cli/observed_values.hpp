// Parses options of `compare` and `import` that name the counts of a live proxy.
#pragma once

namespace spillway::cli {

class OptionReader;   // option_reader.hpp
struct Arguments;     // arguments.hpp
struct RawArguments;  // argument_values.hpp

void check_observed(const RawArguments& raw, Arguments& into, OptionReader& options);

// Checks options on the use of an access log. These options require a log; traces also require an output file.
void check_log_as(const RawArguments& raw, Arguments& into, OptionReader& options);

}  // namespace spillway::cli
