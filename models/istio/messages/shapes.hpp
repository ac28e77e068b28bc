// Shapes of Istio and Kubernetes documents, in addition to those of Kuma: objects with more fields than are read, words
// that mean values, metadata.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/istio/destination_rule.hpp"
#include "models/kuma/messages/shapes.hpp"

namespace spillway::messages {

// A Kubernetes object, of which only fields that affect requests are read; any other key is allowed.
template <class T>
struct Open {
  using Value = T;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
    if (node.kind != documents::Kind::object) {
      grammar::wrong_kind(node, what, "an object", problems);
      return false;
    }
    Fields fields(node, problems);
    Grammar<T>::describe(fields, into);
    return true;
  }
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const {
    grammar::Schema reference = Message<T>{}.schema(definitions);
    definitions[Grammar<T>::definition].open = true;
    return reference;
  }
};

// One of a few words, each of which means a value.
template <class Meaning>
struct WordFor {
  using Value = Meaning;
  std::vector<std::pair<std::string, Meaning>> words;

  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
    std::size_t position = 0;
    if (!choice().read(node, position, what, problems)) {
      return false;
    }
    into = words[position].second;
    return true;
  }
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const { return choice().schema(definitions); }

 private:
  [[nodiscard]] grammar::Choice choice() const {
    std::vector<std::string> names;
    names.reserve(words.size());
    for (const auto& word : words) {
      names.push_back(word.first);
    }
    return grammar::Choice{std::move(names)};
  }
};

inline constexpr grammar::Flag flag{};

// The creation time of an object in RFC 3339, as [s since 1970]; null if no server set it.
struct CreationTime {
  using Value = std::optional<std::int64_t>;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

template <>
struct Grammar<istio::Meta> {
  static constexpr const char* definition = "istio.ObjectMeta";
  static void describe(Fields& fields, istio::Meta& meta);
};

// The object {number: 80}.
struct PortSelector {
  std::uint32_t number = 0;
};
template <>
struct Grammar<PortSelector> {
  static constexpr const char* definition = "istio.PortSelector";
  static void describe(Fields& fields, PortSelector& port);
};

// A selector: {matchLabels: {...}} of DestinationRules, {labels: {...}} of others.
struct WorkloadSelector {
  istio::Labels labels = {};
};
template <>
struct Grammar<WorkloadSelector> {
  static constexpr const char* definition = "istio.WorkloadSelector";
  static void describe(Fields& fields, WorkloadSelector& selector);
};

// Reads a field whose struct in the models is flatter than the written form: `take` moves the value over.
template <class T, class Shape, class Take>
void nested(Fields& fields, const char* name, const Shape& shape, const char* documentation, const Take& take) {
  Field<T> field;
  fields.optional(name, field, shape, documentation);
  if (field.given) {
    take(std::move(field.value));
  }
}

}  // namespace spillway::messages
