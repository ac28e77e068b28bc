// Replaces Kuma or Istio documents of the same names in a scenario's tree.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "models/documents/node.hpp"

namespace spillway::diff {

// Kind, mesh, namespace and name: the identity of a document in a control plane.
using Identity = std::tuple<std::string, std::string, std::string, std::string>;
[[nodiscard]] Identity identity_of(const documents::Node& document);

// Returns the value of a key; null if it is missing, or a new one of this kind at the end.
[[nodiscard]] documents::Node* member_of(documents::Node& node, std::string_view key);
[[nodiscard]] documents::Node& member_or_new(documents::Node& node, const char* key, documents::Kind kind);

// Returns the text of a key; empty if it is missing.
[[nodiscard]] std::string text_of(const documents::Node& node, std::string_view key);

// Adds the documents of a file: the file itself, the items of a list, or several documents in an array.
void add_documents(const documents::Node& node, std::vector<const documents::Node*>& documents);

// Returns the world's tree with these documents in place of those of the same names. Documents in `replaced` are
// removed.
[[nodiscard]] documents::Node with_documents(documents::Node world, std::vector<const documents::Node*> documents,
                                             std::set<Identity> replaced);

// True if both contain only DestinationRules, of the same names, each once.
[[nodiscard]] bool changes_rules(const std::vector<const documents::Node*>& before,
                                 const std::vector<const documents::Node*>& after);

}  // namespace spillway::diff
