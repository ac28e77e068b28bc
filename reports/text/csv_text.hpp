// Comma-separated lines as RFC 4180 quotes them, ended by a line feed alone.
#pragma once

#include <string>
#include <vector>

namespace spillway::reports {

// Quoted if it has to be.
[[nodiscard]] std::string csv_field(const std::string& field);

[[nodiscard]] std::string csv_line(const std::vector<std::string>& fields);

}  // namespace spillway::reports
