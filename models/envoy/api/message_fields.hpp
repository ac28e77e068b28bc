// Messages that say nothing of where requests go, by the names of their fields. Envoy refuses a document with a field
// that it does not know, wherever it stands.
#pragma once

#include <string_view>

#include "models/envoy/api/proto.hpp"

namespace spillway::messages {

// Reports the keys that such a message, and the messages within it, do not have (SP020). A message that is not listed
// may have any. Linear in the object.
void check_fields(const documents::Node& object, std::string_view message, Diagnostics& problems);

// A google.protobuf.Any whose keys are checked.
struct CheckedAny : AnyShape {
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
};

}  // namespace spillway::messages
