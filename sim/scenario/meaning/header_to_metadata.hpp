// The filter envoy.filters.http.header_to_metadata, with what Envoy refuses of it.
#pragma once

#include "models/envoy/routes/header_to_metadata.hpp"
#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/written/proto.hpp"

namespace spillway::scenario::meaning {

inline constexpr const char* header_to_metadata_type = "envoy.extensions.filters.http.header_to_metadata.v3.Config";

[[nodiscard]] envoy::routes::HeaderToMetadata read_header_to_metadata(const written::AnyMessage& message, Span where,
                                                                      Diagnostics& problems);

}  // namespace spillway::scenario::meaning
