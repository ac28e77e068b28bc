// Parts of documents, completed to the document that they are a part of.
#pragma once

#include <string>
#include <string_view>

#include "models/documents/node.hpp"

namespace spillway::scenario::pasted {

// Puts `trafficPolicy:`, `spec:`, `outlierDetection:`, `http:`, `localityAwareness:` ... into a document of its kind,
// and adds the apiVersion and the name where only they are missing. Returns what was added, in words; empty: nothing.
std::string complete_fragment(documents::Node& document);

// Return a node at a place: an object of these members, a text.
[[nodiscard]] documents::Node object_at(const Span& place);
[[nodiscard]] documents::Node text_at_place(const Span& place, std::string text);
void add_member(documents::Node& object, const std::string& key, documents::Node value);

// Returns the value of a key; null if there is none.
[[nodiscard]] documents::Node* member_of(documents::Node& object, std::string_view key);

}  // namespace spillway::scenario::pasted
