// Recognises Envoy's messages in the JSON form of Go structs, in which snapshots of go-control-plane are often printed.
// A oneof is an object of its own there, {"HostIdentifier": {"Endpoint": {...}}}; no Envoy reads such a document.
#pragma once

#include "models/documents/node.hpp"

namespace spillway::proxy {

// Returns the first oneof of a Go struct; nullptr if there is none. Linear.
[[nodiscard]] const documents::Member* find_go_struct(const documents::Node& root);

}  // namespace spillway::proxy
