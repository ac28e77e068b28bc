// Recognises documents that are not supported: what they are, and what to pass instead.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"

namespace spillway::proxy {

struct Foreign {
  std::string what;  // "a DestinationRule of Istio"
  std::string help;  // what to pass instead
};

// Returns nullopt for an unrecognised document. Also recognises objects whose `kind` or `type` has an unknown owner.
[[nodiscard]] std::optional<Foreign> recognise_foreign(const documents::Node& root);

// Recognises a text that is no document: a configuration of NGINX, a table of kubectl. Call it only if no document was
// found in it.
[[nodiscard]] std::optional<Foreign> recognise_foreign_text(std::string_view text);

// Recognises a document that is not a scenario: one of the above, or a document of Envoy's.
[[nodiscard]] std::optional<Foreign> recognise_no_scenario(const documents::Node& root);

// Returns SP149 for the document.
[[nodiscard]] Diagnostic foreign_document(const Foreign& foreign, Span where);

}  // namespace spillway::proxy
