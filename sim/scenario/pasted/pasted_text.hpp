// The documents in a text that was copied from elsewhere: a forum thread, a page of documentation, a terminal.
//
//   const CleanedText cleaned = clean_text(text);
//
// Keeps every line at its number, so that places in the result are places in the original. Blanks prose around fenced
// blocks, prompts, `kubectl apply -f - <<EOF` and its end, marks of quotation. Replaces what YAML cannot read where
// something was taken out: `***`, `{{ .Values.x }}`, `<secret>`; such values become `redacted`.
#pragma once

#include <cstddef>
#include <string>

namespace spillway::scenario::pasted {

inline constexpr const char* redacted_text = "redacted";

struct CleanedText {
  std::string text = {};
  std::size_t redactions = 0;  // values that were replaced
  bool is_diff = false;        // only the new side of a unified diff was kept
};

[[nodiscard]] CleanedText clean_text(const std::string& text);

}  // namespace spillway::scenario::pasted
