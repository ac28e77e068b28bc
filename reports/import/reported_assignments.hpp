// Documents of Envoy from ClusterLoadAssignments alone: an EndpointsConfigDump, a discovery response, one assignment.
// They have addresses, weights, localities, priorities, health and the overprovisioning factor; the cluster's policy is
// assumed, as for /clusters (reported_clusters.hpp).
#pragma once

#include <optional>
#include <string>

#include "reports/import/reported_clusters.hpp"

namespace spillway::reports {

// Returns nullopt if a document has anything else, such as a Cluster or a Listener. Only the assignment of `chosen` is
// made, if there is one of this name. Linear.
[[nodiscard]] std::optional<ReportedDocuments> documents_of_assignments(Sources& sources,
                                                                        const std::string& chosen = {});

}  // namespace spillway::reports
