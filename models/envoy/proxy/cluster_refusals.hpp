// What Envoy refuses of a cluster of its own documents for the way in which its endpoints are found and reached.
#pragma once

#include <string>

#include "models/documents/diagnostic.hpp"

namespace spillway::messages {
struct Source;        // proto.hpp
struct WholeCluster;  // endpoints.hpp
}  // namespace spillway::messages

namespace spillway::proxy {

// Adds SP139 for each: eds_cluster_config of another type than EDS, gRPC checks without HTTP/2. `type`: how the cluster
// finds its endpoints, as proxy::ClusterConfig has it.
void refuse_cluster(const messages::WholeCluster& cluster, const std::string& type, Diagnostics& problems);

// Adds SP139 for each address that a cluster of this type cannot have, in Envoy's words: names, named ports and
// resolvers where addresses must be numbers, paths of pipes that are too long, several endpoints of LOGICAL_DNS, an
// endpoint by its name (Envoy does not look into `named_endpoints`). For an address of EDS, whose update Envoy refuses
// while the cluster stays, a warning (SP214). All of it tried on Envoy 1.40.
void refuse_addresses(const std::string& type, const messages::Source& assignment, Span where, Diagnostics& problems);

}  // namespace spillway::proxy
