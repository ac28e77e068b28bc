// Values of JSON printed by Envoy: missing fields have their defaults, and 64-bit numbers are in quotes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/documents/node.hpp"
#include "sim/observed/lines.hpp"

namespace spillway::observed {

using documents::Node;

// Returns null if the member is missing.
[[nodiscard]] inline const Node* member(const Node& object, std::string_view key) noexcept {
  const auto* const found = object.find(key);
  return found == nullptr ? nullptr : &found->value;
}

// Returns the text; empty if the node is missing or is not a text.
[[nodiscard]] inline std::string text_of(const Node* node) {
  return node != nullptr && node->kind == documents::Kind::string ? node->text : "";
}

// Returns a whole number of 0 or more, from a number or a text.
[[nodiscard]] inline std::optional<std::uint64_t> count_of(const Node* node) {
  using documents::Kind;
  if (node == nullptr) {
    return std::nullopt;
  }
  if (node->kind == Kind::integer && !node->negative) {
    return node->magnitude;
  }
  return node->kind == Kind::string ? whole_number(node->text) : std::nullopt;
}

}  // namespace spillway::observed
