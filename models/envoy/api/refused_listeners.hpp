// Messages of listeners and network filters that Envoy refuses by its code.
#pragma once

#include <span>

#include "models/envoy/api/refused_messages.hpp"

namespace spillway::api {

// Refuses listeners of different names that share an address; a later listener of the same name replaces the first. Any
// port (0) is never shared. `resources`: a Bootstrap.StaticResources.
void check_listener_addresses(const MessageView& resources, CheckedDocument& document);

[[nodiscard]] std::span<const RefusedMessage> refused_in_listeners() noexcept;

}  // namespace spillway::api
