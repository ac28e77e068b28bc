// Finds the place in the file of the field that one of Kuma's messages names.
//
//   place_of(*origin.node, "spec.to[0].default.localityAwareness.crossZone");
//
// A field that is not written has the place of the nearest object around it. Linear in the path and the members on it.
#pragma once

#include <optional>
#include <string_view>

#include "models/documents/node.hpp"
#include "models/documents/source.hpp"

namespace spillway::kuma {

// Returns the place: the value of a text or number, the key of an object or list. Keys with dots are written as
// tags["kuma.io/zone"].
[[nodiscard]] Span place_of(const documents::Node& document, std::string_view path);

// Returns the place of a field, or nullopt if it is not written.
[[nodiscard]] std::optional<Span> place_if_written(const documents::Node& document, std::string_view path);

}  // namespace spillway::kuma
