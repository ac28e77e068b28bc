// Text in XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace spillway::reports {

// As character data and in attributes with double quotes; control characters spelled out.
[[nodiscard]] std::string xml_escaped(std::string_view text);

// As character data and in attributes; control characters as they are.
[[nodiscard]] std::string html_escaped(std::string_view text);

}  // namespace spillway::reports
