// Templates of Helm, and variables of a shell, in the lines of documents.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/documents/left_out.hpp"

namespace spillway::scenario::pasted {

// Blanks the lines of a template that are no lines of its document: `{{- if ... }}`, `{{ include ... }}`. Of `if` and
// `else`, the first branch stays.
[[nodiscard]] std::vector<documents::LeftOut> leave_out_controls(std::vector<std::string>& lines);

// Puts values and keys that begin with `{{`, and other texts that YAML cannot read (`***`, `@x`), into quotes, so that
// redactions.hpp finds them as they were written.
void quote_unreadable(std::string& line);

// Replaces `{{ .Values.x | default 5 }}`, `{{ default 5 .Values.x }}` and `${X:-5}` in a text by 5. Returns false if
// something without a default is left.
[[nodiscard]] bool use_defaults(std::string& text);

// Returns a name from what is left: "cart-stable" for `{{ .Values.cart.stable }}`.
[[nodiscard]] std::string name_of_template(std::string_view expression);

}  // namespace spillway::scenario::pasted
