// Messages of routes that Envoy refuses by its code.
#pragma once

#include <span>

#include "models/envoy/api/refused_messages.hpp"

namespace spillway::api {

// Checks `upgrade_configs` of a connection manager.
void check_upgrade_configs_of_manager(const MessageView& manager, CheckedDocument& document);

[[nodiscard]] std::span<const RefusedMessage> refused_in_routes() noexcept;

}  // namespace spillway::api
