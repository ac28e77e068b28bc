// Decodes google.protobuf.Value from its binary form.
#pragma once

#include <optional>
#include <string_view>

#include "models/config/metadata.hpp"

namespace spillway::config {

// Returns nullopt if the bytes are not such a message. A message without a field is a null Value. Linear; accepts at
// most 100 levels of nesting.
[[nodiscard]] std::optional<Value> parse_protobuf_value(std::string_view bytes);

}  // namespace spillway::config
