// The options of `compare` and `import` that name what a live proxy has counted.
#pragma once

namespace spillway::cli {

class OptionReader;   // option_reader.hpp
struct Arguments;     // arguments.hpp
struct RawArguments;  // argument_values.hpp

void check_observed(const RawArguments& raw, Arguments& into, OptionReader& options);

// What becomes of an access log: needs one, and a file to put traces beside.
void check_log_as(const RawArguments& raw, Arguments& into, OptionReader& options);

}  // namespace spillway::cli
