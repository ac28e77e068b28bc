// envoy.extensions.filters.http.header_to_metadata.v3.Config, from a route's typed_per_filter_config.
#pragma once

#include "models/envoy/api/message_shapes.hpp"
#include "models/envoy/routes/header_to_metadata.hpp"

namespace spillway::messages {

template <>
struct Grammar<envoy::routes::HeaderToMetadata::KeyValuePair> {
  static constexpr const char* definition = "envoy.extensions.filters.http.header_to_metadata.v3.Config.KeyValuePair";
  static void describe(Fields& fields, envoy::routes::HeaderToMetadata::KeyValuePair& pair);
};

template <>
struct Grammar<envoy::routes::HeaderToMetadata::Rule> {
  static constexpr const char* definition = "envoy.extensions.filters.http.header_to_metadata.v3.Config.Rule";
  static void describe(Fields& fields, envoy::routes::HeaderToMetadata::Rule& rule);
};

template <>
struct Grammar<envoy::routes::HeaderToMetadata> {
  static constexpr const char* definition = "envoy.extensions.filters.http.header_to_metadata.v3.Config";
  static void describe(Fields& fields, envoy::routes::HeaderToMetadata& config);
};

inline constexpr const char* header_to_metadata_type = Grammar<envoy::routes::HeaderToMetadata>::definition;

}  // namespace spillway::messages
