// The documents in a text that was copied from elsewhere: a forum thread, a page of documentation, a terminal.
//
//   const CleanedText cleaned = clean_text(text);
//
// Keeps every line at its number, so that places in the result are places in the original. Blanks prose around
// documents and fenced blocks, prompts, `kubectl apply -f - <<EOF` and its end, marks of quotation and of a diff,
// ellipses, lines of a template. Puts values that YAML cannot read into quotes where something was taken out: `***`,
// `{{ .Values.x }}`. Everything else stays, so that a mistake in it is found.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/documents/left_out.hpp"

namespace spillway::scenario::pasted {

struct CleanedText {
  std::string text = {};
  std::vector<documents::LeftOut> left_out = {};
  bool is_diff = false;      // only the new side of a diff was kept
  bool is_template = false;  // of Helm
  bool has_odd_blanks = false;
};

// True if blanks of another kind than YAML's are in the text: no-break, wide, or of no width.
[[nodiscard]] bool has_odd_blanks(std::string_view text);

// Returns the fenced blocks of a text that has no other documents than Envoy's or reports of one: lines outside of them
// are blank. Returns nullopt if there are no fences, or if blocks hold documents of Kubernetes, Istio or Kuma.
[[nodiscard]] std::optional<std::string> unfenced(const std::string& text);

[[nodiscard]] CleanedText clean_text(const std::string& text);

}  // namespace spillway::scenario::pasted
