// Metadata: google.protobuf.Struct and envoy.config.core.v3.Metadata. Only the part under "envoy.lb" affects routing.
#pragma once

#include "models/config/metadata.hpp"
#include "models/envoy/api/proto.hpp"

namespace spillway::messages {

// The shape of any object. Numbers are doubles and nulls are values, as in protobuf.
struct StructShape {
  using Value = config::Struct;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const;
};

// The shape of a map from namespaces to objects. Only the object of "envoy.lb" is kept.
struct FilterMetadata {
  using Value = config::Struct;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

struct Metadata {
  static constexpr const char* definition = "envoy.config.core.v3.Metadata";
  Field<config::Struct> filter_metadata;
};
void describe(Fields& fields, Metadata& metadata);
// The shape of Metadata that reads only the object under envoy.lb.
struct LbMetadata {
  using Value = config::Struct;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const;
};

// The shape of a scenario endpoint's metadata. An object with a key filter_metadata or typed_filter_metadata is Envoy's
// message; any other contains the pairs of "envoy.lb" directly.
struct EndpointMetadata {
  using Value = config::Struct;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

}  // namespace spillway::messages
