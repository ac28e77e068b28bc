// Places in a document, in words that stay valid if lines or the order change.
//
//   place_of(tree, span)       "policies[mesh-lb].spec.to[0].default.localityAwareness"
//   edits_of(before, after)    the places where two documents differ; comments and the order of keys are none
//
// List items are identified by name if each has a unique one, else by position.
#pragma once

#include <string>
#include <vector>

#include "models/documents/node.hpp"
#include "models/documents/source.hpp"
#include "sim/diff/difference.hpp"

namespace spillway::diff {

// Returns the place of the node at `where`, or of the last one before it. O(document).
[[nodiscard]] std::string place_of(const documents::Node& tree, const Span& where);

// Returns the edits in the order of the newer document; at most `most`.
[[nodiscard]] std::vector<Edit> edits_of(const documents::Node& before, const documents::Node& after, std::size_t most);

// True if the edit changes only descriptive text of a scenario, without effect on results.
[[nodiscard]] bool is_words(const Edit& edit);

}  // namespace spillway::diff
