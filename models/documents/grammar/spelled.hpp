// Reads texts of a fixed spelling.
#pragma once

#include <string_view>
#include <utility>

#include "models/documents/grammar/shapes.hpp"

namespace spillway::grammar {

// Reads a text by parse(text), which returns nullopt if it is not spelt as expected.
template <class Value, class Parse>
bool read_spelled(const documents::Node& node, Value& into, std::string_view what, std::string_view expected,
                  const Parse& parse, Diagnostics& problems) {
  if (node.kind != documents::Kind::string) {
    wrong_kind(node, what, expected, problems);
    return false;
  }
  auto value = parse(std::string_view(node.text));
  if (!value) {
    wrong_spelling(node, what, expected, problems);
    return false;
  }
  into = *std::move(value);
  return true;
}

}  // namespace spillway::grammar
