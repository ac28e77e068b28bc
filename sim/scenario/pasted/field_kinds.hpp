// The kinds of values of the fields of Kubernetes', Istio's, Kuma's and Envoy Gateway's documents, by the descriptions
// that also read them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/documents/node.hpp"

namespace spillway::scenario::pasted {

enum class FieldKind { text, word, number, flag, duration };

struct FieldValue {
  FieldKind kind = FieldKind::text;
  double least = 0.0;     // of a number
  std::string word = {};  // the first of its words, which is the API's default
};

// Returns what the value at these keys of a document is; positions in lists are left out of the path. nullopt if the
// kind of the document or the field is not described, or if it is an object.
[[nodiscard]] std::optional<FieldValue> field_value(const documents::Node& document,
                                                    const std::vector<std::string>& path);

// True for the name of a field of any of these documents: `maxRetries`.
[[nodiscard]] bool is_field(std::string_view name);

}  // namespace spillway::scenario::pasted
