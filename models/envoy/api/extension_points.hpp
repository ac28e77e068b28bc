// The fields that hold an extension (a google.protobuf.Any), and the messages that Envoy takes in each.
#pragma once

#include <string_view>

#include "models/envoy/api/refused_messages.hpp"

namespace spillway::api {

// Reports an extension that is missing, or whose type is one of Envoy's but not for this place. Types that the tables
// do not have are passed over. `type`: of the message; linear in the number of its extension points.
void check_extension_points(const MessageView& message, std::string_view type, CheckedDocument& document);

// True if the type is a message of Envoy's in this package or one below it.
[[nodiscard]] bool is_extension_type(std::string_view type, std::string_view package);

}  // namespace spillway::api
