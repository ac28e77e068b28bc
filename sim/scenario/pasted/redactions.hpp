// Replaces values that were redacted before the documents were shared: `***`, `IP_REDACTED`, `${PORT}`, `<my-host>`.
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

struct Redactions {
  std::vector<Redaction> values = {};      // in the order of the document
  std::vector<std::string> ellipses = {};  // keys whose value, or a part of it, is an ellipsis
};

// Replaces redactions by placeholders that fit the kind of their field: a number, a port, a duration, a word, an
// address or a name; equal texts become equal names. A default in a template (`{{ .Values.x | default 5 }}`, `${X:-5}`)
// is its value. Members and items that are an ellipsis are removed.
[[nodiscard]] Redactions replace_redactions_in(documents::Node& document);

}  // namespace spillway::scenario::pasted
