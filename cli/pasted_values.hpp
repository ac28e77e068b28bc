// Converts the option texts about pasted documents into values.
#pragma once

namespace spillway::cli {

struct Arguments;     // arguments.hpp
class OptionReader;   // option_reader.hpp
struct RawArguments;  // argument_values.hpp

// Reads --from, --to, --rate, --capacity and --zones. A problem is kept in `reader`.
void check_pasted(const RawArguments& raw, Arguments& into, OptionReader& reader);

}  // namespace spillway::cli
