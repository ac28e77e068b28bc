// Interprets a load assignment's policy.
#pragma once

#include "models/documents/diagnostic.hpp"
#include "models/envoy/api/message_shapes.hpp"

namespace spillway::config {
struct ClusterLoadAssignment;  // cluster_load_assignment.hpp
struct DropOverload;           // cluster_load_assignment.hpp
}  // namespace spillway::config

namespace spillway::messages {
struct LoadAssignmentPolicy;  // load_assignment.hpp
}  // namespace spillway::messages

namespace spillway::proxy {

// Returns the drop policy. Adds SP139 if Envoy refuses it: several categories, or more than all requests (verified on
// Envoy 1.40).
[[nodiscard]] config::DropOverload read_drop_overload(const messages::Described<messages::LoadAssignmentPolicy>& policy,
                                                      Diagnostics& problems);

// Applies the policy to the assignment, except endpoint_stale_after.
void take_policy(const messages::Described<messages::LoadAssignmentPolicy>& policy,
                 config::ClusterLoadAssignment& assignment, Diagnostics& problems);

}  // namespace spillway::proxy
