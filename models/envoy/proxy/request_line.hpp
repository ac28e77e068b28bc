// Applies what Envoy's HTTP/1.1 codec does with a request before the connection manager sees it, and decides upgrades.
//
// A target in absolute form sets the host, the path and the scheme. Refused: methods, hosts and paths that the codec
// does not take, both lengths of a body at once, CONNECT with a path. A manager that takes only HTTP/2 or HTTP/3 has
// another codec, which is not simulated. Source: Envoy's http1/codec_impl.cc, balsa_parser.cc, http/header_utility.cc
// and http/conn_manager_config.h; each rule was played on Envoy 1.40.
#pragma once

#include <optional>
#include <string>

#include "models/documents/node.hpp"
#include "models/envoy/proxy/manager_options.hpp"
#include "models/envoy/routes/request.hpp"

namespace spillway::proxy {

// Changes the request. Returns why Envoy answers the request itself; nullopt if it does not.
[[nodiscard]] std::optional<Answered> apply_codec(const documents::Node& manager, envoy::routes::Request& request);

// Returns the protocol that a request asks to switch to, such as "websocket"; nullopt if it does not. A request for h2c
// is taken as one without an upgrade.
[[nodiscard]] std::optional<std::string> upgrade_of(const envoy::routes::Request& request);

// True if the request's TE header accepts trailers, the only thing that Envoy leaves in it.
[[nodiscard]] bool accepts_trailers(const envoy::routes::Request& request);

// True if neither the connection manager nor the route allows the upgrade, which Envoy answers with a 403.
[[nodiscard]] bool refuses_upgrade(const documents::Node& manager, const documents::Node& route,
                                   const std::string& upgrade);

}  // namespace spillway::proxy
