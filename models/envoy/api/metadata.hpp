// Metadata: google.protobuf.Struct and envoy.config.core.v3.Metadata, of which only what stands under "envoy.lb" has to
// do with where requests go.
#pragma once

#include "models/config/metadata.hpp"
#include "models/envoy/api/proto.hpp"

namespace spillway::messages {

// Any object. Its numbers are doubles and its nulls are values, as protobuf has them.
struct StructShape {
  using Value = config::Struct;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const;
};

// Objects by name space; the one of "envoy.lb" is kept.
struct FilterMetadata {
  using Value = config::Struct;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// envoy.config.core.v3.Metadata.
struct Metadata {
  static constexpr const char* definition = "envoy.config.core.v3.Metadata";
  Field<config::Struct> filter_metadata;
};
void describe(Fields& fields, Metadata& metadata);
// What it says under envoy.lb.
struct LbMetadata {
  using Value = config::Struct;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const;
};

// The metadata of a scenario's endpoint: an object with a key filter_metadata or typed_filter_metadata is Envoy's
// message; any other holds the pairs of "envoy.lb" themselves.
struct EndpointMetadata {
  using Value = config::Struct;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

}  // namespace spillway::messages
