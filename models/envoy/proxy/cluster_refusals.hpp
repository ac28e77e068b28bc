// Checks for which Envoy refuses a cluster in its own documents: how endpoints are found and reached.
#pragma once

#include <string>

#include "models/documents/diagnostic.hpp"

namespace spillway::messages {
struct Source;        // proto.hpp
struct WholeCluster;  // endpoints.hpp
}  // namespace spillway::messages

namespace spillway::proxy {

// Adds SP139 for each problem: eds_cluster_config with another type than EDS, gRPC checks without HTTP/2. `type` is as
// in proxy::ClusterConfig.
void refuse_cluster(const messages::WholeCluster& cluster, const std::string& type, Diagnostics& problems);

// Adds SP139, in Envoy's words, for each address that a cluster of this type cannot have:
// - names, named ports and resolvers if addresses must be numeric
// - paths of pipes that are too long
// - several endpoints of LOGICAL_DNS
// - an endpoint referenced by name (Envoy does not read `named_endpoints`)
//
// For an address from EDS it adds a warning (SP214) instead, because Envoy refuses only the update and keeps the
// cluster. All verified on Envoy 1.40.
void refuse_addresses(const std::string& type, const messages::Source& assignment, Span where, Diagnostics& problems);

}  // namespace spillway::proxy
