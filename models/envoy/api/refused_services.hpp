// Filters that check a request with keys or other services, as Envoy refuses them by its code.
#pragma once

#include <span>

#include "models/envoy/api/refused_messages.hpp"

namespace spillway::api {

[[nodiscard]] std::span<const RefusedMessage> refused_in_services() noexcept;

}  // namespace spillway::api
