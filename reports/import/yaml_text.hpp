// YAML as people write it by hand: blocks outside, short objects in one line.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace spillway::reports::importing {

// A text as a scalar: plain where it is read back as this very text, else in double quotes.
[[nodiscard]] std::string yaml_scalar(const std::string& text);

// In one line: "{ count: 4, zone: zone-1 }".
[[nodiscard]] std::string yaml_flow(const nlohmann::ordered_json& value);

// Objects and lists as blocks, indented by so many spaces; what has no objects or lists within, and is short, stands in
// one line. Ends with a newline.
[[nodiscard]] std::string yaml_block(const nlohmann::ordered_json& value, int indent);

}  // namespace spillway::reports::importing
