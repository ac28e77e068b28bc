// Normalizes what only protobuf's JSON allows: null for an absent field, two spellings of each field's name, and lists
// in lists.
#pragma once

#include "models/documents/node.hpp"

namespace spillway::grammar {

// Marks a message, so that shapes accept every form of protobuf's JSON (Node::protobuf). Removes members whose value is
// null. Merges a key in snake_case and the same key in lowerCamelCase as Envoy 1.40 does: messages are merged, lists
// are concatenated, and of other values the last one counts. Lists in a list count as one list. Values of
// google.protobuf.Struct are left unchanged.
// Linear in the message.
void settle_protobuf_json(documents::Node& message);

// Settles a document for Envoy itself (Node::envoys_own). `reported`: a program wrote it (Node::reported).
void settle_envoy_document(documents::Node& root, bool reported = false);

// Settles the Envoy messages in a scenario: `clusters`, `load_assignments`, `routes`, and each `health_check_config`.
void settle_messages_of_scenario(documents::Node& root);

}  // namespace spillway::grammar
