// Contexts of TLS that Envoy refuses by its code. Files are not read, and certificates not parsed.
#pragma once

#include <span>

#include "models/envoy/api/refused_messages.hpp"

namespace spillway::api {

[[nodiscard]] std::span<const RefusedMessage> refused_in_tls() noexcept;

}  // namespace spillway::api
