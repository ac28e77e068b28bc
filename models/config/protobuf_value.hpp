// google.protobuf.Value from its binary form.
#pragma once

#include <optional>
#include <string_view>

#include "models/config/metadata.hpp"

namespace spillway::config {

// None: the bytes are no such message. A message without a field is null. Linear; at most 100 values deep.
[[nodiscard]] std::optional<Value> parse_protobuf_value(std::string_view bytes);

}  // namespace spillway::config
