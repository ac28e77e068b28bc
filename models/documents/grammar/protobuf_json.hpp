// Spellings that only protobuf's JSON allows: nulls for absent fields, and a field under either of its names.
#pragma once

#include "models/documents/node.hpp"

namespace spillway::grammar {

// Marks a message, so that shapes take every form of protobuf's JSON (Node::protobuf); takes out members whose value is
// null, and makes one of a key in snake_case and the same one in lowerCamelCase as Envoy 1.40 does: messages become
// one, lists are joined, of other values the last one stays. Values of google.protobuf.Struct are left as they are.
// Linear.
void settle_protobuf_json(documents::Node& message);

// Settles a document of Envoy's own (Node::envoys_own). `reported`: a program wrote it (Node::reported).
void settle_envoy_document(documents::Node& root, bool reported = false);

// Settles Envoy's messages that a scenario has verbatim: its `clusters`, `load_assignments` and
// `routes`, and each `health_check_config`.
void settle_messages_of_scenario(documents::Node& root);

}  // namespace spillway::grammar
