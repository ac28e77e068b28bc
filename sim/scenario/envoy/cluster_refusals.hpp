// What Envoy refuses of a cluster of its own documents for the way in which its endpoints are found and reached.
#pragma once

#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/written/endpoints.hpp"

namespace spillway::scenario::envoy_documents {

// Adds SP139 for each: eds_cluster_config of another type than EDS, gRPC checks without HTTP/2.
void refuse_cluster(const written::WholeCluster& cluster, Diagnostics& problems);

// Adds SP139 for each address that a cluster of this type cannot have, in Envoy's words: names, named ports and
// resolvers where addresses must be numbers, paths of pipes that are too long, several endpoints of LOGICAL_DNS. For
// EDS, whose update Envoy refuses while the cluster stays, a warning (SP214). All of it tried on Envoy 1.40.
void refuse_addresses(const written::WholeCluster& cluster, const written::WholeLoadAssignment& assignment, Span where,
                      Diagnostics& problems);

}  // namespace spillway::scenario::envoy_documents
