// A load assignment as it stands in a proxy's documents, names that are looked up left as they are.
#pragma once

#include "models/config/cluster_load_assignment.hpp"
#include "sim/scenario/document/node.hpp"

namespace spillway::reports::held {

// envoy.config.endpoint.v3.ClusterLoadAssignment. What is no socket address has an empty one.
[[nodiscard]] config::ClusterLoadAssignment assignment_as_written(const scenario::document::Node& assignment);

}  // namespace spillway::reports::held
