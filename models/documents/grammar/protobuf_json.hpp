// What protobuf's JSON allows beyond what shapes read: nulls for fields that are not there, and a field under both of
// its names.
#pragma once

#include "models/documents/node.hpp"

namespace spillway::grammar {

// Marks a message, so that shapes take every form of protobuf's JSON (Node::protobuf); takes out members whose value is
// null, and makes one of a key in snake_case and the same one in lowerCamelCase as Envoy 1.40 does: messages become
// one, lists are joined, of other values the last one stays. Values of google.protobuf.Struct are left as they are.
// Linear.
void settle_protobuf_json(documents::Node& message);

// The same for a document of Envoy's own (Node::envoys_own). `told`: a program wrote it (Node::told).
void settle_envoy_document(documents::Node& root, bool reported = false);

// The same for the messages of Envoy's that stand verbatim in a scenario: its `clusters`, `load_assignments` and
// `routes`, and each `health_check_config`.
void settle_messages_of_scenario(documents::Node& root);

}  // namespace spillway::grammar
