// Forward declarations of the balancing stack's types, for headers that only refer to them. Comments name the defining
// header.
#pragma once

#include <cstdint>

namespace spillway::envoy {

class ActiveRequests;                    // active_requests.hpp
enum class Availability : std::uint8_t;  // availability.hpp
struct Cluster;                          // cluster.hpp
struct ClusterState;                     // cluster_state.hpp
struct ExactShares;                      // exact_shares.hpp
struct HostShare;                        // exact_shares.hpp
class HostFlags;                         // host_health.hpp
struct PrioritySet;                      // host_set.hpp
struct RequestContext;                   // load_balancer.hpp
struct StatefulSession;                  // stateful_session/filter.hpp

}  // namespace spillway::envoy
