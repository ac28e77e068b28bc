// Which filter chains of a listener may take a connection, as far as a request's description tells of it.
//
//   const auto chains = chains_for(listener, connection_of(request, listener));
//
// Source: Envoy's documentation of FilterChainMatch and filter_chain_manager_impl.cc: criterion by criterion
// (destination port, destination address, server name, transport protocol, application protocols, source), at each the
// most specific that suits, and no way back.
#pragma once

#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "models/envoy/proxy/match_tree.hpp"
#include "models/envoy/routes/request.hpp"

namespace spillway::proxy {

// Of a request's host and `:scheme`, and of the listener's address.
[[nodiscard]] Connection connection_of(const envoy::routes::Request& request, const documents::Node& listener);

// In the order of the document; the default chain where none may suit. Where a criterion is not told, the chains of all
// its values. Where the host's name suits none, all chains: it need not be the server name. Of a filter_chain_matcher
// that asks for what is not told, all chains. Linear in chains and their values.
[[nodiscard]] std::vector<const documents::Node*> chains_for(const documents::Node& listener,
                                                            const envoy::routes::Request& request);

}  // namespace spillway::proxy
