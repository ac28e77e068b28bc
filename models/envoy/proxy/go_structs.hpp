// Envoy's messages in the JSON form of Go structs, in which snapshots of go-control-plane are often printed. A oneof is
// an object of its own, {"HostIdentifier": {"Endpoint": {...}}}.
#pragma once

#include "models/documents/node.hpp"

namespace spillway::proxy {

// Converts such a document to protobuf's JSON: {"endpoint": {...}}. Leaves other documents unchanged. Linear.
void settle_go_structs(documents::Node& root);

}  // namespace spillway::proxy
