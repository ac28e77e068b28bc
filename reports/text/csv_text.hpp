// Comma-separated lines as RFC 4180 quotes them, ended by a line feed alone. Names are written so that no reader runs
// them: control characters are spelled out (`\x1b`), and what a spreadsheet would take for a formula has an apostrophe
// in front (`'=1+1`), as OWASP's "CSV Injection" has it; figures have none.
#pragma once

#include <string>
#include <vector>

namespace spillway::reports {

// Quoted if it has to be.
[[nodiscard]] std::string csv_field(const std::string& text);

[[nodiscard]] std::string csv_line(const std::vector<std::string>& fields);

}  // namespace spillway::reports
