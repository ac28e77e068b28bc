// Writes an outbound listener as Kuma sends it to a proxy, in protobuf's JSON with Envoy's field names.
//
//   listener_json(listener);                    // a Listener: name, address, filter chain, io.kuma.tags
//   connection_manager_json(listener);          // only its HttpConnectionManager, of a listener of HTTP
//
// Requests are simulated from the same OutboundListener that is written. Source: Kuma's
// meshhttproute/plugin/v1alpha1/listeners.go, meshretry, meshtimeout and meshloadbalancingstrategy/plugin; recorded in
// tests/conformance/cases/kuma-whole.json and kuma-settings.json.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace spillway::kuma {

struct OutboundListener;  // outbound_listener.hpp

[[nodiscard]] nlohmann::ordered_json listener_json(const OutboundListener& listener);

// Precondition: the listener is of HTTP.
[[nodiscard]] nlohmann::ordered_json connection_manager_json(const OutboundListener& listener);

}  // namespace spillway::kuma
