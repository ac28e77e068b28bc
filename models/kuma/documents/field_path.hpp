// Where the field that one of Kuma's messages names stands in the file.
//
//   place_of(*origin.node, "spec.to[0].default.localityAwareness.crossZone");
//
// A field that is not written stands where the nearest object around it does. Linear in the path and the members on it.
#pragma once

#include <optional>
#include <string_view>

#include "models/documents/node.hpp"
#include "models/documents/source.hpp"

namespace spillway::kuma {

// Of a text or number the value, of an object or list its key. Keys with dots are written as tags["kuma.io/zone"].
[[nodiscard]] Span place_of(const documents::Node& document, std::string_view path);

// Of a field that is written.
[[nodiscard]] std::optional<Span> place_if_written(const documents::Node& document, std::string_view path);

}  // namespace spillway::kuma
