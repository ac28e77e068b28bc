// Values of JSON that an Envoy printed: what is left out has its default, and 64-bit numbers stand in quotes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/documents/node.hpp"
#include "sim/observed/lines.hpp"

namespace spillway::observed {

using documents::Node;

// Null if there is none.
[[nodiscard]] inline const Node* member(const Node& object, std::string_view key) noexcept {
  const auto* const found = object.find(key);
  return found == nullptr ? nullptr : &found->value;
}

// Empty for what is no text, or is not there.
[[nodiscard]] inline std::string text_of(const Node* node) {
  return node != nullptr && node->kind == documents::Kind::string ? node->text : "";
}

// A whole number of 0 or more, as a number or as a text.
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
