// Decodes google.protobuf.Value from its binary form.
#pragma once

#include <optional>
#include <string_view>

#include "models/config/metadata.hpp"

namespace spillway::config {

// Returns nullopt if the bytes are not a google.protobuf.Value. A message without a field is a null Value. O(bytes).
// Accepts at most 100 levels of nesting.
[[nodiscard]] std::optional<Value> parse_protobuf_value(std::string_view bytes);

}  // namespace spillway::config
