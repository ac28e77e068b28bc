// Shapes that Envoy's messages have in common.
#pragma once

#include <cstdint>
#include <string>

#include "sim/scenario/grammar/shapes.hpp"

namespace spillway::scenario::written {

using grammar::Field;
using grammar::Fields;

inline constexpr std::uint64_t largest_uint32 = 4'294'967'295;
inline constexpr const char* percentage_bound = "Envoy refuses a percentage above 100";

// envoy.type.v3.Percent.
struct PercentMessage {
  static constexpr const char* definition = "envoy.type.v3.Percent";
  Field<double> value;
};

inline void describe(Fields& fields, PercentMessage& percent) {
  fields.message();
  fields.optional("value", percent.value, grammar::Number{0.0, 100.0, "Envoy refuses a percentage outside 0 to 100"},
                  "from 0 to 100; 0 unless given");
}

// A 64-bit number, which protobuf's JSON writes as a text.
struct Uint64 {
  using Value = std::uint64_t;
  bool read(const document::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// Any value, kept as it is: what it may be depends on something else. Lives as long as the document's tree.
struct Unread {
  using Value = const document::Node*;
  bool read(const document::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// google.protobuf.Any in its JSON form: an object whose "@type" says what it is.
struct AnyMessage {
  std::string type;  // "envoy.extensions.clusters.aggregate.v3.ClusterConfig", without what stands before the last /
  const document::Node* node = nullptr;
};

struct AnyShape {
  using Value = AnyMessage;
  bool read(const document::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// envoy.config.core.v3.TypedExtensionConfig.
struct TypedExtensionConfig {
  static constexpr const char* definition = "envoy.config.core.v3.TypedExtensionConfig";
  Field<std::string> name;
  Field<AnyMessage> typed_config;
};

inline void describe(Fields& fields, TypedExtensionConfig& extension) {
  fields.message();
  fields.required("name", extension.name, grammar::Text{}, "name of the extension");
  fields.required("typed_config", extension.typed_config, AnyShape{}, "its configuration, told apart by its @type");
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

}  // namespace spillway::scenario::written
