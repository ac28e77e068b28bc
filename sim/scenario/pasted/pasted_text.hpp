// The documents in a text that was copied from elsewhere: a forum thread, a page of documentation, a terminal.
//
//   const CleanedText cleaned = clean_text(text);
//
// Keeps every line at its number, so that places in the result are places in the original. Blanks prose around
// documents and fenced blocks, prompts, `kubectl apply -f - <<EOF` and its end, marks of quotation. Replaces what YAML
// cannot read where something was taken out: `***` becomes `redacted`, `{{ .Values.x }}` becomes `$(values-x)`. Of
// templates of Helm the first branches and the defaults (`| default 100`) are kept.
#pragma once

#include <cstddef>
#include <string>

namespace spillway::scenario::pasted {

inline constexpr const char* redacted_text = "redacted";

struct CleanedText {
  std::string text = {};
  std::size_t redactions = 0;  // values that were replaced
  bool is_diff = false;        // only the new side of a unified diff was kept
  bool is_template = false;    // actions of Helm were replaced
};

[[nodiscard]] CleanedText clean_text(const std::string& text);

// Replaces actions of Helm in a line or value. Returns the text itself if there are none.
[[nodiscard]] std::string without_actions(const std::string& text);

}  // namespace spillway::scenario::pasted
