// Completes parts of documents to whole documents.
#pragma once

#include <string>
#include <string_view>

#include "models/documents/node.hpp"

namespace spillway::scenario::pasted {

// Completes `trafficPolicy:`, `spec:`, `outlierDetection:`, `http:`, `localityAwareness:` and so on to a document, or
// adds only a missing apiVersion or name. Returns the additions in words; empty if there are none.
std::string complete_fragment(documents::Node& document);

// Return a node with this location: an object of these members, a text.
[[nodiscard]] documents::Node object_at(const Span& place);
[[nodiscard]] documents::Node text_at_place(const Span& place, std::string text);
void add_member(documents::Node& object, const std::string& key, documents::Node value);

// Returns the value of a key; null if there is none.
[[nodiscard]] documents::Node* member_of(documents::Node& object, std::string_view key);

}  // namespace spillway::scenario::pasted
