// Tables of GitHub's Markdown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace spillway::reports {

// Returns the text as literal Markdown: marks escaped, control characters spelled out.
[[nodiscard]] std::string markdown_escaped(std::string_view text);

// Returns the text as for markdown_escaped() in a cell, but with > unescaped: "->" stays readable in the source.
[[nodiscard]] std::string markdown_cell(std::string_view text);

// Returns "| a
// b |". Cells are Markdown already.
[[nodiscard]] std::string markdown_row(const std::vector<std::string>& cells);

// Returns the line below the titles, with numbers right-aligned: "|---|---:|".
[[nodiscard]] std::string markdown_rule(const std::vector<bool>& numbers);

}  // namespace spillway::reports
