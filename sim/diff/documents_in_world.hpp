// Documents of Kuma's or Istio's in the place of those of the same names in a scenario's tree.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "models/documents/node.hpp"

namespace spillway::diff {

// Kind, mesh, namespace and name: what a control plane knows a document by.
using Identity = std::tuple<std::string, std::string, std::string, std::string>;
[[nodiscard]] Identity identity_of(const documents::Node& document);

// The text of a key, or nothing.
[[nodiscard]] std::string text_of(const documents::Node& node, std::string_view key);

// Those of a file: the file itself, those of a list, or of several documents in an array.
void add_documents(const documents::Node& node, std::vector<const documents::Node*>& documents);

// The world's tree with the documents instead of those of the same names; `replaced` are left out.
[[nodiscard]] documents::Node with_documents(documents::Node world,
                                                      std::vector<const documents::Node*> documents,
                                                      std::set<Identity> replaced);

// Whether both are DestinationRules of the same names, each once.
[[nodiscard]] bool changes_rules(const std::vector<const documents::Node*>& before,
                                 const std::vector<const documents::Node*>& after);

}  // namespace spillway::diff
