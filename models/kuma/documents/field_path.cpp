#include "models/kuma/documents/field_path.hpp"

#include <charconv>
#include <optional>

namespace spillway::kuma {
namespace {

using documents::Kind;
using documents::Node;

struct Step {
  std::string_view key;              // of an object
  std::optional<std::size_t> index;  // of a list
};

// Removes and returns the first step of a path.
Step take_step(std::string_view& path) {
  if (path.starts_with("[\"")) {
    const std::size_t end = path.find("\"]", 2);
    Step step{path.substr(2, end == std::string_view::npos ? end : end - 2), std::nullopt};
    path.remove_prefix(end == std::string_view::npos ? path.size() : end + 2);
    return step;
  }
  if (path.starts_with('[')) {
    std::size_t index = 0;
    const auto number = std::from_chars(path.data() + 1, path.data() + path.size(), index);
    const auto length = static_cast<std::size_t>(number.ptr - path.data());
    path.remove_prefix(length < path.size() ? length + 1 : length);
    return {{}, index};
  }
  if (path.starts_with('.')) {
    path.remove_prefix(1);
  }
  const std::size_t end = std::min(path.find_first_of(".["), path.size());
  Step step{path.substr(0, end), std::nullopt};
  path.remove_prefix(end);
  return step;
}

bool is_scalar(const Node& node) {
  return node.kind != Kind::object && node.kind != Kind::array;
}

struct Walk {
  Span place;
  bool to_the_end = false;
};

// Follows the path as far as it is written.
Walk walk(const Node& document, std::string_view path) {
  const Node* node = &document;
  Walk found{document.span};
  while (!path.empty()) {
    const Step step = take_step(path);
    if (step.index) {
      if (*step.index >= node->items.size()) {
        return found;
      }
      node = &node->items[*step.index];
      found.place = node->span;
      continue;
    }
    const documents::Member* const member = node->find(step.key);
    if (member == nullptr) {
      return found;
    }
    node = &member->value;
    found.place = is_scalar(*node) ? node->span : member->key_span;
  }
  found.to_the_end = true;
  return found;
}

}  // namespace

Span place_of(const Node& document, std::string_view path) {
  return walk(document, path).place;
}

std::optional<Span> place_if_written(const Node& document, std::string_view path) {
  const Walk found = walk(document, path);
  return found.to_the_end ? std::optional(found.place) : std::nullopt;
}

}  // namespace spillway::kuma
