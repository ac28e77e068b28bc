// Messages of a bootstrap itself that Envoy refuses by its code: admin, overload manager, runtime, sinks and secrets.
#pragma once

#include <span>

#include "models/envoy/api/refused_messages.hpp"

namespace spillway::api {

[[nodiscard]] std::span<const RefusedMessage> refused_in_bootstraps() noexcept;

}  // namespace spillway::api
