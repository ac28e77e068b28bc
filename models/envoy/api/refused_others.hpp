// Messages of tracers, statistics and scoped routes that Envoy refuses by its code.
#pragma once

#include <span>

#include "models/envoy/api/refused_messages.hpp"

namespace spillway::api {

[[nodiscard]] std::span<const RefusedMessage> refused_elsewhere() noexcept;

}  // namespace spillway::api
