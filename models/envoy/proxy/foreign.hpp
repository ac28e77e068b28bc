// Documents that are recognised and not read: what they are, and what to give instead.
#pragma once

#include <optional>
#include <string>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"

namespace spillway::proxy {

struct Foreign {
  std::string what;  // "a DestinationRule of Istio"
  std::string help;  // what to give instead
};

// Nothing for what is not recognised. Also what an object with `kind` or `type` of an unknown owner is.
[[nodiscard]] std::optional<Foreign> recognise_foreign(const documents::Node& root);

// What stands where a scenario should, if it is recognised: one of the above, or a document of Envoy's.
[[nodiscard]] std::optional<Foreign> recognise_no_scenario(const documents::Node& root);

// SP149 at the document.
[[nodiscard]] Diagnostic foreign_document(const Foreign& foreign, Span where);

}  // namespace spillway::proxy
