// Creates diagnostics that are not in a list yet, and formats parts of them.
//
//   return error("SP104", where, "unknown zone `{}`", "no zone of this name", {name}).help("write it in `zones`");
#pragma once

#include <string>
#include <string_view>

#include "models/documents/diagnostic.hpp"

namespace spillway {

// See diagnostic.hpp for formats and their arguments.
[[nodiscard]] Diagnostic error(std::string_view code, Span where, MessageFormat message, MessageFormat label,
                               MessageArguments arguments = {});
[[nodiscard]] Diagnostic warning(std::string_view code, Span where, MessageFormat message, MessageFormat label,
                                 MessageArguments arguments = {});

// Returns the name in backticks, a long one cut in the middle.
[[nodiscard]] std::string in_ticks(std::string_view name);

// Returns "line 7, column 3".
[[nodiscard]] std::string place(Span span);

[[nodiscard]] bool has_errors(const Diagnostics& diagnostics) noexcept;

// Sorts by file, line and column; stable.
void sort_by_position(Diagnostics& diagnostics);

}  // namespace spillway
