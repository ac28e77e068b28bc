// Applies a connection manager's changes to a request before routing, except those of its path (path_options.hpp).
//
// Simulated: strip_any_host_port, strip_matching_host_port, strip_trailing_host_dot, headers_with_underscores_action,
// and the choice of the source address (x-forwarded-for, use_remote_address, xff_num_trusted_hops). Source: Envoy's
// conn_manager_utility.cc and http/header_utility.cc; verified on Envoy 1.40.
#pragma once

#include <optional>
#include <string>

#include "models/documents/node.hpp"
#include "models/envoy/routes/request.hpp"

namespace spillway::proxy {

struct Answered {
  Span where;
  std::string why;
};

// Changes the request. Returns why the manager answers the request itself; nullopt if it does not. `listener_port`:
// empty if unknown.
[[nodiscard]] std::optional<Answered> apply_manager_options(const documents::Node& manager,
                                                            const std::string& listener_port,
                                                            envoy::routes::Request& request);

// Returns the address that `use_remote_address` appends to x-forwarded-for; nullopt if it is unknown. For a loopback
// address Envoy appends the machine's own address.
[[nodiscard]] std::optional<std::string> appended_address(const envoy::routes::Request& request);

// True if a request, as the proxy receives it, comes from an internal address: of `internal_address_config`; without it
// none is internal. nullopt if its source is not known. Verified on Envoy 1.40.
[[nodiscard]] std::optional<bool> is_internal(const documents::Node& manager, const envoy::routes::Request& request);

// True if the request counts as TLS for `require_tls` of a virtual host.
[[nodiscard]] bool counts_as_https(const documents::Node& manager, const documents::Node* filter_chain,
                                   const envoy::routes::Request& request);

}  // namespace spillway::proxy
