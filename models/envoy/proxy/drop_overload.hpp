// What a load assignment's policy comes to.
#pragma once

#include "models/documents/diagnostic.hpp"
#include "models/envoy/api/described.hpp"

namespace spillway::config {
struct ClusterLoadAssignment;  // cluster_load_assignment.hpp
struct DropOverload;           // cluster_load_assignment.hpp
}  // namespace spillway::config

namespace spillway::messages {
struct LoadAssignmentPolicy;  // load_assignment.hpp
}  // namespace spillway::messages

namespace spillway::proxy {

// Adds SP139 for what Envoy refuses: several categories, or more than all requests (tried on Envoy 1.40).
[[nodiscard]] config::DropOverload read_drop_overload(const messages::Described<messages::LoadAssignmentPolicy>& policy,
                                                      Diagnostics& problems);

// All that it comes to but endpoint_stale_after.
void take_policy(const messages::Described<messages::LoadAssignmentPolicy>& policy,
                 config::ClusterLoadAssignment& assignment, Diagnostics& problems);

}  // namespace spillway::proxy
