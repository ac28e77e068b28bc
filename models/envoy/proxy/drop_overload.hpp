// What a load assignment's policy comes to.
#pragma once

#include "models/config/cluster_load_assignment.hpp"
#include "models/documents/diagnostic.hpp"
#include "models/envoy/api/load_assignment.hpp"

namespace spillway::proxy {

// Adds SP139 for what Envoy refuses: several categories, or more than all requests (tried on Envoy 1.40).
[[nodiscard]] config::DropOverload read_drop_overload(const messages::Described<messages::LoadAssignmentPolicy>& policy,
                                                      Diagnostics& problems);

// All that it comes to but endpoint_stale_after.
void take_policy(const messages::Described<messages::LoadAssignmentPolicy>& policy,
                 config::ClusterLoadAssignment& assignment, Diagnostics& problems);

}  // namespace spillway::proxy
