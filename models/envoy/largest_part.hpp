// The largest part of the requests that a host may get, where requests in flight and schedules decide and no share is
// exact.
//
//   const ExactShares exact = exact_shares(*state, requests);
//   for (const HostShare& row : exact.hosts) { largest_part(*state, row, joint_sums(exact)); }
//
// Source: docs/behaviour/envoy-host-pick.md 7.
#pragma once

#include <cstdint>
#include <map>

namespace spillway::envoy {

struct ClusterState;  // cluster_state.hpp
struct ExactShares;   // exact_shares.hpp
struct HostShare;     // exact_shares.hpp

// Returns the sums of the joint shares by their number.
[[nodiscard]] std::map<std::uint32_t, double> joint_sums(const ExactShares& exact);

// Returns an upper bound of the host's share: the share itself if it is exact, else that of all joint rows together. If
// least request draws k hosts with equal probabilities, a host gets at most the requests whose draws include it: k
// times its share at rest. Precondition: no host is in slow start, which changes the weights of least request.
[[nodiscard]] double largest_part(const ClusterState& state, const HostShare& row,
                                  const std::map<std::uint32_t, double>& joint);

}  // namespace spillway::envoy
