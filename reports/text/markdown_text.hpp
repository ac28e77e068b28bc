// Tables of GitHub's Markdown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace spillway::reports {

// The text as it stands, whatever it is: marks escaped, control characters spelled out.
[[nodiscard]] std::string markdown_escaped(std::string_view text);

// The same in a cell, where > is no mark: "->" stays readable before it is drawn.
[[nodiscard]] std::string markdown_cell(std::string_view text);

// "| a | b |": cells are taken as Markdown.
[[nodiscard]] std::string markdown_row(const std::vector<std::string>& cells);

// The line below the titles, numbers to the right: "|---|---:|".
[[nodiscard]] std::string markdown_rule(const std::vector<bool>& numbers);

}  // namespace spillway::reports
