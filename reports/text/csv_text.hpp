// Formats comma-separated lines with the quoting of RFC 4180, ended by a line feed only. Names are safe for
// spreadsheets: control characters are spelled out (`\x1b`), and names that look like a formula get an apostrophe
// (`'=1+1`). Source: OWASP's "CSV Injection". Figures have no apostrophe.
#pragma once

#include <string>
#include <vector>

namespace spillway::reports {

// Quotes the text if necessary.
[[nodiscard]] std::string csv_field(const std::string& text);

[[nodiscard]] std::string csv_line(const std::vector<std::string>& fields);

}  // namespace spillway::reports
