// Short ways to say what is wrong.
//
//   problems.push_back(with_help(error("SP104", "unknown zone " + in_ticks(name), where, "no zone of this name"),
//   "..."));
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "models/documents/diagnostic.hpp"

namespace spillway {

// What looks like a secret in the words is hidden (secrets.hpp).
[[nodiscard]] Diagnostic error(std::string code, const std::string& message, Span where, const std::string& label);
[[nodiscard]] Diagnostic warning(std::string code, const std::string& message, Span where, const std::string& label);

[[nodiscard]] Diagnostic with_note(Diagnostic diagnostic, const std::string& note);
[[nodiscard]] Diagnostic with_help(Diagnostic diagnostic, const std::string& help);

// `name`, with long names cut in the middle.
[[nodiscard]] std::string in_ticks(std::string_view name);

// "line 7, column 3".
[[nodiscard]] std::string place(Span span);

[[nodiscard]] bool has_errors(const Diagnostics& diagnostics) noexcept;

// By file, line, column, then as they came.
void sort_by_position(Diagnostics& diagnostics);

}  // namespace spillway
