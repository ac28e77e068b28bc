// Replaces values that were redacted before the documents were shared: `***`, `IP_REDACTED`, `${PORT}`, `<my-host>`,
// `{{ .Values.x }}`.
#pragma once

#include <string>
#include <vector>

#include "models/documents/node.hpp"

namespace spillway::scenario::pasted {

struct Redaction {
  std::string written = {};
  std::string placeholder = {};  // empty: the key is left out
  std::string key = {};          // "spec.host"
};

// Replaces redactions by placeholders that fit their key: a port, an address, a weight or a name; equal texts become
// equal names. A key that has a default (a limit, a duration, a switch) is left out. Returns the redactions in the
// order of the document.
[[nodiscard]] std::vector<Redaction> replace_redactions_in(documents::Node& document);

}  // namespace spillway::scenario::pasted
