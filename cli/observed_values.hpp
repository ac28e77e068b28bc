// The options of `compare` and `import` that name what a live proxy has counted.
#pragma once

#include "cli/argument_values.hpp"
#include "cli/option_reader.hpp"

namespace spillway::cli {

void check_observed(const RawArguments& raw, Arguments& into, OptionReader& options);

// What becomes of an access log: needs one, and a file to put traces beside.
void check_log_as(const RawArguments& raw, Arguments& into, OptionReader& options);

}  // namespace spillway::cli
