// Shapes that many of Envoy's messages share.
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
inline constexpr grammar::Text any_length{0, grammar::any_number};
inline constexpr grammar::Text not_empty{1, grammar::any_number};
// Explanations of Envoy's bounds, in its words.
inline constexpr const char* envoys_priority_bound =
    "Envoy refuses others: Priority: value must be less than or equal to 128";
inline constexpr const char* envoys_weight_bound =
    "Envoy refuses others: LoadBalancingWeight: value must be greater than or equal to 1";
inline constexpr const char* envoys_factor_bound =
    "Envoy refuses 0: OverprovisioningFactor: value must be greater than 0";

// Names of envoy.config.core.v3.HealthStatus, in the order of config::HealthStatus.
inline const std::vector<std::string> health_statuses = {"UNKNOWN",  "HEALTHY", "UNHEALTHY",
                                                         "DRAINING", "TIMEOUT", "DEGRADED"};

// A whole number of 32 bits.
struct Uint32 {
  using Value = std::uint32_t;
  std::uint32_t minimum = 0;
  std::uint32_t maximum = static_cast<std::uint32_t>(largest_uint32);
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const { return grammar::Whole{}.write(value); }
};

// A 64-bit number, which protobuf's JSON writes as a string.
struct Uint64 {
  using Value = std::uint64_t;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const { return grammar::Whole{}.write(value); }
};

// A signed 64-bit number, also as a string. At most 15 digits, which every JSON implementation reads exactly.
struct Int64 {
  using Value = std::int64_t;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const;
};

// The object that a message was read from, for pointing at its fields later. Valid as long as the document's tree.
struct Source {
  const documents::Node* object = nullptr;
  void keep(const Fields& fields) { object = fields.object(); }
  // Returns a field, under either of its names; null if it is not written.
  [[nodiscard]] const documents::Member* member(std::string_view field) const;
  // Returns the place of the field's value; nullopt if it is not written.
  [[nodiscard]] std::optional<Span> place_of(std::string_view field) const;
  // Returns the place of the field's key; nullopt if it is not written.
  [[nodiscard]] std::optional<Span> key_of(std::string_view field) const;
  // Returns the text of a field that was read into `value`; empty if it could not be read.
  [[nodiscard]] Field<std::string> text(std::string_view field, std::string value) const;
  // Returns the message in a field; its object is null if the field is not written.
  [[nodiscard]] Source within(std::string_view field) const {
    const documents::Member* const found = member(field);
    return {found == nullptr ? nullptr : &found->value};
  }
  // Returns the messages in a repeated field; a single message counts as a list of one.
  [[nodiscard]] std::vector<Source> items_of(std::string_view field) const;
};

// The shape of an unparsed value, whose type depends on something else. Valid as long as the document's tree.
struct Unread {
  using Value = const documents::Node*;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// The shape of an unparsed object with any keys: values of Envoy's runtime. Valid as long as the document's tree.
struct RuntimeLayerShape {
  using Value = const documents::Node*;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// The shape of a message whose keys Envoy checks but the schema does not list, because few of them matter here.
template <class T>
struct Unlisted : grammar::Record<T> {
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const { return Unread{}.schema(definitions); }
};

// A google.protobuf.Any in its JSON form: an object whose "@type" names its message type.
struct AnyMessage {
  std::string type;  // "envoy.extensions.clusters.aggregate.v3.ClusterConfig": the part after the last /
  const documents::Node* node = nullptr;
};

struct AnyShape {
  using Value = AnyMessage;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// Returns {"field": value}.
[[nodiscard]] documents::Node message_with(const char* field, documents::Node value);

// Returns a message of this type as an Any.
[[nodiscard]] documents::Node write_any(const std::string& type, const documents::Node& message);

// Returns the current name of a message of an older API; empty if it is not known to have another name.
[[nodiscard]] std::string todays_type(std::string_view type);

// Returns the diagnostic for a message type that is not allowed in this place (SP302) or is of an older API (SP028).
// `expected`: the types allowed.
[[nodiscard]] Diagnostic wrong_type(const AnyMessage& message, Span where, std::string expected);

struct TypedExtensionConfig {
  static constexpr const char* definition = "envoy.config.core.v3.TypedExtensionConfig";
  Field<std::string> name;
  Field<AnyMessage> typed_config;
};

inline void describe(Fields& fields, TypedExtensionConfig& extension) {
  fields.message();
  fields.required("name", extension.name, not_empty, "name of the extension");
  fields.required("typed_config", extension.typed_config, AnyShape{}, "its configuration, named by its @type");
}

// Reads a message kept by AnyShape as a T; "@type" is not reported as unknown.
template <class T>
bool read_any(const AnyMessage& any, T& into, Diagnostics& problems) {
  Fields fields(*any.node, problems);
  fields.without_influence({"@type"});
  describe(fields, into);
  fields.finish();
  return true;
}

}  // namespace spillway::messages
