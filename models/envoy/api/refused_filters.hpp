// The filter messages that Envoy's code refuses although its .proto files allow them.
#pragma once

#include <span>

#include "models/envoy/api/refused_messages.hpp"

namespace spillway::api {

// Checks the filters that HttpProtocolOptions puts before a cluster.
void check_upstream_filters(const MessageView& options, CheckedDocument& document);

// Refuses a validator of headers, which no build of Envoy has.
void refuse_header_validation(const MessageView& message, const char* field, CheckedDocument& document);

[[nodiscard]] std::span<const RefusedMessage> refused_in_filters() noexcept;

}  // namespace spillway::api
