// What protobuf's JSON allows beyond what shapes read: nulls for fields that are not there, and a field under both of
// its names.
#pragma once

#include "sim/scenario/document/node.hpp"

namespace spillway::scenario::envoy_documents {

// Marks a document of Envoy's own, so that shapes take every form of protobuf's JSON (Node::protobuf); takes out
// members whose value is null, and makes one of a key in snake_case and the same one in lowerCamelCase as Envoy 1.40
// does: messages become one, lists are joined, of other values the last one stays. Values of google.protobuf.Struct are
// left as they are. Linear.
void settle_protobuf_json(document::Node& node);

}  // namespace spillway::scenario::envoy_documents
