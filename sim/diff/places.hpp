// Where in a document something stands, in words that survive other lines and another order.
//
//   place_of(tree, span)       "policies[mesh-lb].spec.to[0].default.localityAwareness"
//   edits_of(before, after)    the places where two documents differ; comments and the order of keys are none
//
// Items of a list go by their names where each has one of its own, else by their position.
#pragma once

#include <string>
#include <vector>

#include "models/documents/node.hpp"
#include "models/documents/source.hpp"
#include "sim/diff/difference.hpp"

namespace spillway::diff {

// Of what stands there, or last before it. Linear in the document.
[[nodiscard]] std::string place_of(const documents::Node& tree, const Span& where);

// In the order of the newer one; at most `most`.
[[nodiscard]] std::vector<Edit> edits_of(const documents::Node& before, const documents::Node& after,
                                         std::size_t most);

// Whether an edit is of words about a scenario alone, which change nothing of what it does.
[[nodiscard]] bool is_words(const Edit& edit);

}  // namespace spillway::diff
