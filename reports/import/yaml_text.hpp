// Writes YAML in the style of hand-written files: blocks outside, short objects in one line.
#pragma once

#include <string>

#include "models/documents/node.hpp"

namespace spillway::reports::importing {

// Returns a text as a scalar: plain if that reads back as the same text, otherwise in double quotes.
[[nodiscard]] std::string yaml_scalar(const std::string& text);

// Returns the value in one line: "{ count: 4, zone: zone-1 }".
[[nodiscard]] std::string yaml_flow(const documents::Node& value);

// Returns objects and lists as blocks, indented by `indent` spaces. Short values without nested objects or lists take
// one line. Ends with a newline.
[[nodiscard]] std::string yaml_block(const documents::Node& value, int indent);

}  // namespace spillway::reports::importing
