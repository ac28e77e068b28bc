// Shapes that Envoy's messages have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/documents/grammar/shapes.hpp"

namespace spillway::messages {

using grammar::Field;
using grammar::Fields;

inline constexpr std::uint64_t largest_uint32 = 4'294'967'295;
// Why Envoy has these bounds, in its words.
inline constexpr const char* envoys_priority_bound =
    "Envoy refuses others: Priority: value must be less than or equal to 128";
inline constexpr const char* envoys_weight_bound =
    "Envoy refuses others: LoadBalancingWeight: value must be greater than or equal to 1";
inline constexpr const char* envoys_factor_bound =
    "Envoy refuses 0: OverprovisioningFactor: value must be greater than 0";

// envoy.config.core.v3.HealthStatus, in the order of config::HealthStatus.
inline const std::vector<std::string> health_statuses = {"UNKNOWN",  "HEALTHY", "UNHEALTHY",
                                                         "DRAINING", "TIMEOUT", "DEGRADED"};

// A whole number that fits 32 bits.
struct Uint32 {
  using Value = std::uint32_t;
  std::uint32_t minimum = 0;
  std::uint32_t maximum = static_cast<std::uint32_t>(largest_uint32);
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const { return grammar::Whole{}.write(value); }
};

// A 64-bit number, which protobuf's JSON writes as a text.
struct Uint64 {
  using Value = std::uint64_t;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const { return grammar::Whole{}.write(value); }
};

// A signed 64-bit number in the same way; 15 digits, which every JSON implementation agrees on.
struct Int64 {
  using Value = std::int64_t;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const;
};

// The object that a message was read from, for pointing at its fields afterwards. Lives as long as the document's tree.
struct Source {
  const documents::Node* object = nullptr;
  void keep(const Fields& fields) { object = fields.object(); }
  // A field, under either of its names; null: it is not written.
  [[nodiscard]] const documents::Member* member(std::string_view field) const;
  // Where its value stands; none: it is not written.
  [[nodiscard]] std::optional<Span> place_of(std::string_view field) const;
  // The same of its key.
  [[nodiscard]] std::optional<Span> key_of(std::string_view field) const;
  // The text of a field that was read into `value`; one that could not be read is empty.
  [[nodiscard]] Field<std::string> text(std::string_view field, std::string value) const;
  // The message that a field holds; without an object where it is not written.
  [[nodiscard]] Source within(std::string_view field) const {
    const documents::Member* const found = member(field);
    return {found == nullptr ? nullptr : &found->value};
  }
  // The messages that a repeated field holds; a message alone is a list of it.
  [[nodiscard]] std::vector<Source> items_of(std::string_view field) const;
};

// Any value, kept as it is: what it may be depends on something else. Lives as long as the document's tree.
struct Unread {
  using Value = const documents::Node*;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// An object of any keys, kept as it is: values of Envoy's runtime. Lives as long as the document's tree.
struct RuntimeLayerShape {
  using Value = const documents::Node*;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// A message whose keys Envoy checks and the schema does not list: few of them mean anything here.
template <class T>
struct Unlisted : grammar::Record<T> {
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const { return Unread{}.schema(definitions); }
};

// google.protobuf.Any in its JSON form: an object whose "@type" says what it is.
struct AnyMessage {
  std::string type;  // "envoy.extensions.clusters.aggregate.v3.ClusterConfig", without what stands before the last /
  const documents::Node* node = nullptr;
};

struct AnyShape {
  using Value = AnyMessage;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// {"field": value}.
[[nodiscard]] documents::Node message_with(const char* field, documents::Node value);

// A message of this type as one.
[[nodiscard]] documents::Node write_any(const std::string& type, const documents::Node& message);

// The name that a message of an older API has today; empty: it is not known to have another one.
[[nodiscard]] std::string todays_type(std::string_view type);

// A message of a type that cannot stand here (SP302), or of an older API (SP028). `expected`: what may.
[[nodiscard]] Diagnostic wrong_type(const AnyMessage& message, Span where, std::string expected);

// envoy.config.core.v3.TypedExtensionConfig.
struct TypedExtensionConfig {
  static constexpr const char* definition = "envoy.config.core.v3.TypedExtensionConfig";
  Field<std::string> name;
  Field<AnyMessage> typed_config;
};

inline void describe(Fields& fields, TypedExtensionConfig& extension) {
  fields.message();
  fields.required("name", extension.name, grammar::Text{}, "name of the extension");
  fields.required("typed_config", extension.typed_config, AnyShape{}, "its configuration, named by its @type");
}

// A message that was kept by AnyShape, read as a T; "@type" is nothing unknown in it.
template <class T>
bool read_any(const AnyMessage& any, T& into, Diagnostics& problems) {
  Fields fields(*any.node, problems);
  fields.without_influence({"@type"});
  describe(fields, into);
  fields.finish();
  return true;
}

}  // namespace spillway::messages
