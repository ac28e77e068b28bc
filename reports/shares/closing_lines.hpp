// What stands below a table: the summary, warnings, and which expectations hold.
#pragma once

#include <string>

#include "reports/formats.hpp"

namespace spillway::reports {

// Begin with an empty line, unless there is nothing to say. The second as a list of GitHub's Markdown.
[[nodiscard]] std::string closing_lines(const Report& report, const Look& look);
[[nodiscard]] std::string closing_list(const Report& report);

}  // namespace spillway::reports
