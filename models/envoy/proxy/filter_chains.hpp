// Finds the filter chains of a listener that may take a connection, to the extent that a request's description
// determines it.
//
//   const auto chains = chains_for(listener, connection_of(request, listener));
//
// Criteria are applied in order: destination port, destination address, server name, transport protocol, application
// protocols, source. Each keeps the most specific matching chains, without backtracking. Source: Envoy's documentation
// of FilterChainMatch and filter_chain_manager_impl.cc.
#pragma once

#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "models/envoy/proxy/match_tree.hpp"
#include "models/envoy/routes/request.hpp"

namespace spillway::proxy {

// Returns the connection implied by the request's host and `:scheme`, and the listener's address.
[[nodiscard]] Connection connection_of(const envoy::routes::Request& request, const documents::Node& listener);

// Returns the chains in document order, or the default chain if none can match. An unknown criterion keeps the chains
// of all its values. All chains are returned if the host name matches none, because it need not be the server name. The
// same applies if a filter_chain_matcher uses unknown inputs. Linear in chains and their values.
[[nodiscard]] std::vector<const documents::Node*> chains_for(const documents::Node& listener,
                                                             const envoy::routes::Request& request);

}  // namespace spillway::proxy
