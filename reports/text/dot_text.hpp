// Escapes names for Graphviz' language.
#pragma once

#include <string>
#include <vector>

namespace spillway::reports {

// Returns the content of a double-quoted string for exactly this text: it contains no escape, entity or closing quote.
[[nodiscard]] std::string dot_text(const std::string& line);

// Returns lines below each other, with the quotes.
[[nodiscard]] std::string dot_label(const std::vector<std::string>& lines);

}  // namespace spillway::reports
