#include "sim/scenario/meaning/header_to_metadata.hpp"

#include "sim/scenario/written/header_to_metadata.hpp"
#include "sim/scenario/written/refused.hpp"

namespace spillway::scenario::meaning {

envoy::routes::HeaderToMetadata read_header_to_metadata(const written::AnyMessage& message, Span where,
                                                        Diagnostics& problems) {
  written::Described<envoy::routes::HeaderToMetadata> filter;
  written::read_any(message, filter, problems);
  if (!filter.request_rules.empty() || !filter.source.key_of("response_rules")) {
    refuse(envoy::routes::refusal(filter), {"these rules", message.node, where}, problems);
  }
  return filter;
}

}  // namespace spillway::scenario::meaning
