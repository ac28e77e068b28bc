// Where the first pick of a request goes, exactly: the expected share of each host over uniform 64-bit draws and seeds,
// requests in flight frozen, no retries.
//
//   ExactShares exact = exact_shares(*state);
//   exact.hosts[0].share;   // 0.14: the first host's part of the requests
//
// A weighted schedule counts as the share of a pick at a uniformly drawn start: weight / sum. Random shares its one
// draw with the priority choice and is enumerated by residue classes. Zone-aware routing is the mixture of its
// integers. Source: docs/behaviour/envoy-before-pick.md 5, 7 to 11.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "models/envoy/cluster_state.hpp"
#include "models/envoy/priority_load.hpp"

namespace spillway::envoy {

struct HostShare {
  config::HostIndex host;
  config::Priority priority;
  Availability availability = Availability::healthy;
  std::uint32_t child = 0;  // position in an aggregate's list, 0 for a plain cluster
  double share = 0.0;       // above 0
};

struct ExactShares {
  // By child, host and availability; sums to at most 1, the rest finds no host. A host may stand in several rows.
  std::vector<HostShare> hosts;
  bool closed_form = true;  // else `hosts` is empty
  std::string basis;        // what had to be assumed, or why there is no closed form; often empty
};

// `active_requests` as in RequestContext. Linear in hosts, times localities under zone-aware routing.
[[nodiscard]] ExactShares exact_shares(const ClusterState& state, std::span<const std::uint32_t> active_requests = {});

}  // namespace spillway::envoy
