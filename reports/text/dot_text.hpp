// Names in Graphviz' language.
#pragma once

#include <string>
#include <vector>

namespace spillway::reports {

// What may stand between double quotes, for exactly this text: nothing in it is an escape, an entity or the end of it.
[[nodiscard]] std::string dot_text(const std::string& line);

// Lines one below the other, with the quotes.
[[nodiscard]] std::string dot_label(const std::vector<std::string>& lines);

}  // namespace spillway::reports
