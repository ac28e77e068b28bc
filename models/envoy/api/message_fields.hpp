// The field names of messages that do not affect routing. They are needed because Envoy refuses a document with an
// unknown field anywhere.
#pragma once

#include <string_view>

#include "models/envoy/api/proto.hpp"

namespace spillway::messages {

// Reports the unknown keys of such a message and of the messages within it (SP020). Accepts any key in a message that
// is not listed. Linear in the object.
void check_fields(const documents::Node& object, std::string_view message, Diagnostics& problems);

// A google.protobuf.Any whose keys are checked.
struct CheckedAny : AnyShape {
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
};

}  // namespace spillway::messages
