// Envoy's messages as Go writes its structs to JSON, which snapshots of go-control-plane are often printed as: a oneof
// is an object of its own, {"HostIdentifier": {"Endpoint": {...}}}.
#pragma once

#include "models/documents/node.hpp"

namespace spillway::proxy {

// Makes protobuf's JSON of them, if it is such a document: {"endpoint": {...}}. Linear.
void settle_go_structs(documents::Node& root);

}  // namespace spillway::proxy
