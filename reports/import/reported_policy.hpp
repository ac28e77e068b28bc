// The policy of a cluster of which only the endpoints are known: Envoy's defaults, or those of istiod's clusters of
// services. Source: behaviour/istio.md, "Outlier detection": istiod writes minHealthPercent, 0 by default.
#pragma once

#include <string>
#include <vector>

#include "models/documents/json_writer.hpp"

namespace spillway::reports {

// Returns an envoy.config.cluster.v3.Cluster.
[[nodiscard]] documents::JsonText cluster_of_assignment(const std::string& name, documents::JsonText load_assignment);

// Returns in words what cluster_of_assignment() assumes of these clusters, and why.
[[nodiscard]] std::vector<std::string> policies_in_words(const std::vector<std::string>& clusters,
                                                         const std::string& why);

}  // namespace spillway::reports
