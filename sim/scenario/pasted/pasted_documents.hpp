// The documents of Kubernetes, Istio and Kuma in files that are no scenario, completed so that a scenario can hold
// them.
//
//   std::optional<PastedDocuments> read = read_pasted(proxy::load_inputs(paths, problems).sources);
//
// Documents are separated by `---`, items of lists, or in fenced blocks (pasted_text.hpp). A part of a document
// (`trafficPolicy:`, `spec:`) becomes a document around it. Values that were taken out (`***`, `${PORT}`) get a
// placeholder. Everything that was added or left out is in `assumed`. Linear in the size of the texts.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "models/documents/source.hpp"
#include "sim/scenario/pasted/pasted_files.hpp"

namespace spillway::scenario::pasted {

enum class Family { kubernetes, kuma };

struct PastedDocuments {
  std::vector<PastedFile> files = {};
  Sources sources = {};  // files in which `problems` have locations
  Diagnostics problems = {};
  std::vector<std::string> assumed = {};
  std::map<std::string, std::size_t> ignored = {};  // kinds without influence on shares, with their number
  std::map<std::string, std::string> foreign = {};  // documents of other programs, and what to use instead
  std::map<std::string, std::size_t> by_kind = {};  // documents that are read
  Family family = Family::kubernetes;
  bool of_envoy_gateway = false;  // a document is of Envoy Gateway, so that gateways are its proxies

  [[nodiscard]] std::vector<const documents::Node*> documents() const;
};

// Returns nullopt if the texts are something else: a scenario, documents of Envoy, text.
[[nodiscard]] std::optional<PastedDocuments> read_pasted(const Sources& sources);

// Returns the value below these keys; null if a key is missing.
[[nodiscard]] const documents::Node* value_below(const documents::Node& node, std::initializer_list<const char*> keys);
// Returns the text below these keys; empty if there is none.
[[nodiscard]] std::string text_below(const documents::Node& node, std::initializer_list<const char*> keys);

}  // namespace spillway::scenario::pasted
