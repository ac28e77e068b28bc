// Shapes that Kuma's documents have in common, and how they are read straight into the structs of models/kuma, which
// have Kuma's keys and tell absent from empty.
//
//   template <>
//   struct Grammar<kuma::LocalZone> {
//     static constexpr const char* definition = "MeshLoadBalancingStrategy.LocalZone";
//     static void describe(Fields& fields, kuma::LocalZone& zone);
//   };
//   void Grammar<kuma::LocalZone>::describe(Fields& fields, kuma::LocalZone& zone) {
//     optional(fields, "affinityTags", zone.affinityTags, Items<Message<kuma::AffinityTag>>{}, "...");
//   }
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/kuma/mesh_load_balancing_strategy.hpp"
#include "models/kuma/names.hpp"
#include "sim/scenario/written/proto.hpp"

namespace spillway::scenario::written {

// What a struct of the models looks like in a file; specialised for each.
template <class T>
struct Grammar;

template <class T>
struct Described : T {
  static constexpr const char* definition = Grammar<T>::definition;
};
template <class T>
void describe(Fields& fields, Described<T>& object) {
  Grammar<T>::describe(fields, object);
}

// An object that is read into a struct of the models.
template <class T>
struct Message {
  using Value = T;
  bool read(const document::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
    Described<T> object;
    const bool is_object = grammar::Record<Described<T>>{}.read(node, object, what, problems);
    into = std::move(static_cast<T&>(object));
    return is_object;
  }
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const {
    return grammar::Record<Described<T>>{}.schema(definitions);
  }
};

// A list whose items need no places of their own. `help`: what to say where one item stands instead of a list.
template <class Shape>
struct Items {
  using Value = std::vector<typename Shape::Value>;
  Shape shape{};
  const char* help = nullptr;

  bool read(const document::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
    if (node.kind == document::Kind::object && help != nullptr) {
      grammar::wrong_kind(node, what, "a list", problems);
      problems.back().helps.emplace_back(help);
      typename Shape::Value alone{};
      static_cast<void>(shape.read(node, alone, what, problems));
      return false;
    }
    typename grammar::ListOf<Shape>::Value fields;
    const bool is_list = grammar::ListOf<Shape>{shape}.read(node, fields, what, problems);
    for (auto& field : fields) {
      into.push_back(std::move(field.value));
    }
    return is_list;
  }
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const {
    return grammar::ListOf<Shape>{shape}.schema(definitions);
  }
};

// A whole number that fits 32 bits.
struct Uint32 {
  using Value = std::uint32_t;
  std::uint32_t minimum = 0;
  std::uint32_t maximum = static_cast<std::uint32_t>(largest_uint32);
  bool read(const document::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};
inline constexpr Uint32 port_number{1, 65'535};

// A whole number, or a text that holds a number; whether it does, Kuma's validator says.
struct IntOrString {
  using Value = kuma::IntOrString;
  bool read(const document::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// One of a few words, kept as a text. `not_played` are words that mean something which this version does not play.
struct Word {
  using Value = std::string;
  std::vector<std::string> words;
  std::vector<std::string> not_played = {};
  bool read(const document::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// Labels or tags: texts by name.
struct TagMap {
  using Value = kuma::Tags;
  bool read(const document::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// A duration in Go's notation: 1h30m, 250ms, 0.
struct GoDuration {
  using Value = std::chrono::nanoseconds;
  bool read(const document::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// Any text, the empty one too: Kuma's validator says what it may be.
inline const grammar::Text any_text{0, 10'000};

// Keys into members of the models' structs; what is not written, or cannot be read, stays as it was.
template <class Shape, class Member>
void optional(Fields& fields, const char* name, Member& into, const Shape& shape, const char* documentation) {
  Field<typename Shape::Value> field;
  fields.optional(name, field, shape, documentation);
  if (field.given) {
    into = std::move(field.value);
  }
}
template <class Shape, class Member>
void required(Fields& fields, const char* name, Member& into, const Shape& shape, const char* documentation) {
  Field<typename Shape::Value> field;
  fields.required(name, field, shape, documentation);
  if (field.given) {
    into = std::move(field.value);
  }
}

}  // namespace spillway::scenario::written
