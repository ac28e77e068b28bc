// Conditions on texts: envoy.type.matcher.v3.StringMatcher and RegexMatcher.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/envoy/api/message_shapes.hpp"
#include "models/envoy/routes/route.hpp"

namespace spillway::messages {

// The shape of envoy.type.matcher.v3.RegexMatcher. Reports an expression that Envoy refuses (SP139).
struct RegexMatcher {
  using Value = std::string;
  bool checked = true;  // false: the caller checks it
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const;
};

struct StringMatcher {
  using Kind = envoy::routes::HeaderMatcher::Kind;
  Kind kind = Kind::present;  // of those with a text
  std::string text = {};
  std::optional<bool> ignore_case = {};

  // Returns the equivalent matcher of a header.
  [[nodiscard]] envoy::routes::HeaderMatcher of_header(std::string name) const;
};
template <>
struct Grammar<StringMatcher> {
  static constexpr const char* definition = "envoy.type.matcher.v3.StringMatcher";
  static void describe(Fields& fields, StringMatcher& matcher);
};

// Maps a text that is written under one key per kind of comparison.
template <class Kind, class Shape>
void text_of_kind(Fields& fields, const char* name, Kind kind, Kind& chosen, std::string& value, const Shape& shape,
                  const char* documentation) {
  std::optional<std::string> text;
  if (fields.writing() && chosen == kind) {
    text = value;
  }
  optional(fields, name, text, shape, documentation);
  if (!fields.writing() && text) {
    chosen = kind;
    value = *std::move(text);
  }
}

}  // namespace spillway::messages
