// Parses the definition that a sweep's file keeps.
#pragma once

#include <optional>
#include <string>

#include "models/documents/node.hpp"

namespace spillway::sweep {

// Returns the JSON object in the text; nullopt if the text is anything else.
[[nodiscard]] std::optional<documents::Node> parse_definition(const std::string& text);

}  // namespace spillway::sweep
