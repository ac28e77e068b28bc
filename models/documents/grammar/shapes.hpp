// Shapes of values. A shape reads a value or reports how it differs from the expected kind, and describes itself for
// the JSON Schema:
//
//   using Value = ...;
//   bool read(const documents::Node&, Value&, std::string_view what, Diagnostics&) const;   // what: the key
//   Schema schema(Definitions&) const;
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/grammar/field.hpp"
#include "models/documents/grammar/fields.hpp"
#include "models/documents/grammar/scalars.hpp"
#include "models/documents/grammar/schema.hpp"
#include "models/documents/node.hpp"

namespace spillway::grammar {

// Reports a value of another kind than the one expected (SP022).
void wrong_kind(const documents::Node& node, std::string_view what, std::string_view expected, Diagnostics& problems);
// Reports a value that should be an object with this schema (SP022). If it is a text and the schema has `name`, shows
// how to write the object.
void wrong_object(const documents::Node& node, std::string_view what, const Schema& object, Diagnostics& problems);
// Reports a text that is not spelt as expected (SP024).
void wrong_spelling(const documents::Node& node, std::string_view what, std::string_view expected,
                    Diagnostics& problems);

// Returns the schema of texts that match a pattern as a whole.
[[nodiscard]] Schema pattern_schema(const std::string& pattern);

inline constexpr std::uint64_t any_number = UINT64_MAX;  // of items or characters
// Any text with so many characters.
struct Text {
  using Value = std::string;
  std::uint64_t min_length = 1;
  std::uint64_t max_length = 200;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] Schema schema(Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const;
};

// Returns the value that a shape reads. In a document for Envoy itself, other forms of protobuf's JSON are converted:
// numbers and booleans as texts and, with `wrapper`, messages such as google.protobuf.UInt32Value, {"value": 3}.
// `kind` is integer, number or boolean. `room` stores a converted value.
[[nodiscard]] const documents::Node& plain_value(const documents::Node& node, documents::Kind kind, bool wrapper,
                                                 documents::Node& room);

struct Flag {
  using Value = bool;
  bool wrapper = false;  // true to accept a google.protobuf.BoolValue
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] Schema schema(Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const;
};

// A whole number within inclusive bounds. `why` explains the bound in messages.
struct Whole {
  using Value = std::uint64_t;
  std::uint64_t minimum = 0;
  std::uint64_t maximum = 9'007'199'254'740'991;  // 2^53 - 1: every JSON implementation agrees on these
  std::string why = {};
  bool wrapper = true;  // in Envoy's messages: accepts a google.protobuf.UInt32Value or UInt64Value
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] Schema schema(Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const;
};

// A finite number within inclusive bounds.
struct Number {
  using Value = double;
  double minimum = 0.0;
  double maximum = 0.0;
  std::string why = {};
  bool wrapper = false;  // true to accept a google.protobuf.DoubleValue
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] Schema schema(Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const;
};

// A duration: `1.5s`.
struct DurationText {
  using Value = Nanoseconds;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] Schema schema(Definitions& definitions) const;
};

// A duration of protobuf's JSON: `0.5s`; in a document for Envoy itself also {"seconds": 1, "nanos": 5}.
struct ProtoDuration {
  using Value = Nanoseconds;
  std::optional<Nanoseconds> above = {};  // exclusive lower bound
  std::string why = {};
  std::string too_short = {};  // with `above`: a pattern of the values up to it, for the schema
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] Schema schema(Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const;
};

// A rate: `200rps`, or a plain number of requests per second.
struct Rate {
  using Value = double;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] Schema schema(Definitions& definitions) const;
};

// A bandwidth: `1Gbps`.
struct Bandwidth {
  using Value = double;  // [bit/s]
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] Schema schema(Definitions& definitions) const;
};

// A price per unit, without a currency: `0.01/GB`.
struct Price {
  using Value = double;
  std::string unit;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] Schema schema(Definitions& definitions) const;
};

// A percentage: `70%`.
struct PercentText {
  using Value = ExactPercent;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] Schema schema(Definitions& definitions) const;
};

// One of a few words; in a document for Envoy itself in any case, or by its number. Words in `not_simulated` are valid
// but refused, because this version does not simulate their effect.
struct Choice {
  using Value = std::size_t;  // position in `words`
  std::vector<std::string> words;
  std::vector<std::string> not_simulated = {};
  std::vector<std::pair<std::string, std::string>> formerly = {};  // words of an older Envoy with today's
  std::vector<std::uint64_t> numbers = {};                         // of the words, in their order; empty: 0, 1, 2, ...
  std::optional<std::size_t> otherwise = {};  // the word that any other number means; nullopt if Envoy refuses those
  const char* unnamed = nullptr;              // the reason why other numbers are not simulated, if Envoy takes them
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] Schema schema(Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const;
};

// Reports a list with too few or too many items (SP026). Returns true if the number is right.
bool check_length(const documents::Node& node, std::uint64_t min_items, std::uint64_t max_items, std::string_view what,
                  Diagnostics& problems);
[[nodiscard]] Schema list_schema(Schema items, std::uint64_t min_items, std::uint64_t max_items);

// A shape whose values can be exported: write() is the inverse of read().
template <class Shape>
concept Writable = requires(const Shape& shape, const typename Shape::Value& value) {
  { shape.write(value) } -> std::same_as<documents::Node>;
};

template <class Shape>
struct ListOf {
  using Value = std::vector<Field<typename Shape::Value>>;
  Shape shape{};
  std::uint64_t min_items = 0;
  std::uint64_t max_items = any_number;

  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
    const auto add = [&](const documents::Node& item) {
      Field<typename Shape::Value>& field = into.emplace_back();
      field.present = true;
      field.where = field.key = item.span;
      field.given = shape.read(item, field.value, what, problems);
    };
    if (node.kind != documents::Kind::array) {
      // In protobuf's JSON a single item may stand for a list of one.
      if (node.protobuf && min_items <= 1) {
        add(node);
        return true;
      }
      wrong_kind(node, what, "a list", problems);
      return false;
    }
    into.reserve(node.items.size());
    for (const documents::Node& item : node.items) {
      add(item);
    }
    return check_length(node, min_items, max_items, what, problems);
  }
  [[nodiscard]] Schema schema(Definitions& definitions) const {
    return list_schema(shape.schema(definitions), min_items, max_items);
  }
};

// An object with arbitrary keys whose values all have the same shape.
template <class Shape>
struct MapOf {
  struct Entry {
    std::string name;
    Field<typename Shape::Value> value;
  };
  using Value = std::vector<Entry>;
  Shape shape{};

  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
    if (node.kind != documents::Kind::object) {
      wrong_kind(node, what, "an object", problems);
      return false;
    }
    for (const documents::Member& member : node.members) {
      Entry& entry = into.emplace_back();
      entry.name = member.key;
      entry.value.present = true;
      entry.value.where = member.value.span;
      entry.value.key = member.key_span;
      entry.value.given = shape.read(member.value, entry.value.value, member.key, problems);
    }
    return true;
  }
  [[nodiscard]] Schema schema(Definitions& definitions) const {
    return {.type = "object", .additional = {shape.schema(definitions)}};
  }
};

// An object with a description: `void describe(Fields&, T&)` next to T. `T::definition` is its name in the schema.
template <class T>
struct Record {
  using Value = T;

  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
    if (node.kind != documents::Kind::object) {
      Schema object;
      Definitions definitions;
      Fields described(object, definitions);
      T unused;
      describe(described, unused);
      wrong_object(node, what, object, problems);
      return false;
    }
    Fields fields(node, problems);
    describe(fields, into);
    fields.finish();
    return true;
  }
  [[nodiscard]] Schema schema(Definitions& definitions) const {
    if (definitions.find(T::definition) == definitions.end()) {
      Schema& object = definitions[T::definition];
      object.type = "object";
      T unused;
      Fields fields(object, definitions);
      describe(fields, unused);
    }
    return {.reference = T::definition};
  }
};

}  // namespace spillway::grammar
