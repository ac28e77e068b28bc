// Messages of clusters that Envoy refuses by its code.
#pragma once

#include <span>

#include "models/envoy/api/refused_messages.hpp"

namespace spillway::api {

[[nodiscard]] std::span<const RefusedMessage> refused_in_clusters() noexcept;

}  // namespace spillway::api
