// Every code that a diagnostic can have, for `spillway validate --explain CODE` and docs/diagnostics.md.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace spillway::scenario {

struct DiagnosticCode {
  std::string_view code;
  std::string_view title;      // one line
  std::string_view paragraph;  // why, and what to do
};

// In the order of the codes.
[[nodiscard]] std::span<const DiagnosticCode> diagnostic_codes() noexcept;

// Null if there is none; "sp104" and "SP104" are alike.
[[nodiscard]] const DiagnosticCode* find_diagnostic_code(std::string_view code) noexcept;

// "SP104: unknown zone", an empty line and the paragraph in lines of at most 100 columns. For a code that does not
// exist, empty.
[[nodiscard]] std::string explain_diagnostic_code(std::string_view code);

// docs/diagnostics.md.
[[nodiscard]] std::string diagnostic_codes_markdown();

}  // namespace spillway::scenario
