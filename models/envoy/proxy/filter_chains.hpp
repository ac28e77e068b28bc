// Finds the filter chains of a listener that may take a connection, to the extent that a request's description
// determines it.
//
//   const auto chains = chains_for(listener, request);
//
// Criteria are applied in order: destination port, destination address, server name, transport protocol, application
// protocols, source. Each keeps the most specific matching chains, without backtracking. Only a tls_inspector finds the
// server name and TLS; without it every connection counts as plain, whatever it carries. Source: Envoy's documentation
// of FilterChainMatch and filter_chain_manager_impl.cc; played on Envoy 1.40.
#pragma once

#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "models/envoy/proxy/match_tree.hpp"
#include "models/envoy/routes/request.hpp"

namespace spillway::proxy {

// True if the chain ends TLS, so that its requests count as https.
[[nodiscard]] bool has_tls(const documents::Node& chain);

// Returns the connections that may carry the request, implied by its host, its source and `:scheme`, and by what the
// listener's filters find out: one, or a plain one and one over TLS if the request has no `:scheme` and a tls_inspector
// tells them apart. A name in the host is the server name over TLS. A request without host and `:scheme` may come by
// any.
[[nodiscard]] std::vector<Connection> connections_of(const envoy::routes::Request& request,
                                                     const documents::Node& listener);

// Returns the chains in document order, or the default chain if none can match. An unknown criterion keeps the chains
// of all its values. All chains are returned if the host name matches none, because it need not be the server name. The
// same applies if a filter_chain_matcher uses unknown inputs. Empty if the listener closes the connection, because no
// chain takes it. Linear in chains and their values.
[[nodiscard]] std::vector<const documents::Node*> chains_for(const documents::Node& listener,
                                                             const envoy::routes::Request& request);

}  // namespace spillway::proxy
