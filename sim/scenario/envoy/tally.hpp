// How much a proxy's documents hold, and what of it is ignored.
#pragma once

#include "sim/scenario/envoy/documents.hpp"
#include "sim/scenario/envoy/proxy_configuration.hpp"
#include "sim/scenario/envoy/resources.hpp"

namespace spillway::scenario::envoy_documents {

// Counts clusters, endpoints, routes and listeners, and by their kind filters, TLS contexts, access logs and secrets.
// Linear in the documents.
[[nodiscard]] Tally tally_of(const Documents& documents, const Index& index);

}  // namespace spillway::scenario::envoy_documents
