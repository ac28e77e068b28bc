// Values of documents that were taken out before they were shown: `***`, `IP_REDACTED`, `${PORT}`, `<my-host>`.
#pragma once

#include <string>
#include <vector>

#include "models/documents/node.hpp"

namespace spillway::scenario::pasted {

struct Redaction {
  std::string written = {};
  std::string placeholder = {};
  std::string key = {};  // "spec.host"
};

// Puts placeholders in their places: a port, an address, a weight or a name, by the key; the same text becomes the same
// name. Returns them in the order of the document.
[[nodiscard]] std::vector<Redaction> replace_redactions_in(documents::Node& document);

}  // namespace spillway::scenario::pasted
