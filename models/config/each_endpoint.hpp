// Visits the endpoints of a load assignment.
#pragma once

#include "models/config/cluster_load_assignment.hpp"

namespace spillway::config {

// Calls visit(host, endpoint, group), or visit(host, endpoint), for each endpoint in order: hosts count from 0.
template <class Assignment, class Visit>
void for_each_endpoint(Assignment& assignment, const Visit& visit) {
  HostIndex host{0};
  for (auto& group : assignment.endpoints) {
    for (auto& endpoint : group.lb_endpoints) {
      if constexpr (requires { visit(host, endpoint, group); }) {
        visit(host, endpoint, group);
      } else {
        visit(host, endpoint);
      }
      ++host.value;
    }
  }
}

// True if the predicate is true of an endpoint.
template <class Predicate>
[[nodiscard]] bool any_endpoint(const ClusterLoadAssignment& assignment, const Predicate& predicate) {
  bool any = false;
  for_each_endpoint(assignment,
                    [&](HostIndex /*host*/, const LbEndpoint& endpoint) { any = any || predicate(endpoint); });
  return any;
}

}  // namespace spillway::config
