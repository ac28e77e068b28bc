// Escapes text for XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace spillway::reports {

// Escapes character data and double-quoted attributes; spells control characters out.
[[nodiscard]] std::string xml_escaped(std::string_view text);

// Escapes character data and attributes; leaves control characters unchanged.
[[nodiscard]] std::string html_escaped(std::string_view text);

}  // namespace spillway::reports
