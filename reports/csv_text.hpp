// Comma-separated lines as RFC 4180 quotes them, ended by a line feed alone.
#pragma once

#include <string>
#include <vector>

namespace spillway::reports {

[[nodiscard]] std::string csv_line(const std::vector<std::string>& fields);

}  // namespace spillway::reports
