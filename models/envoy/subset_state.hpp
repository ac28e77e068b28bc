// How the states of a subset balancer's parts follow from the cluster's hosts.
//
// Every part sees its hosts alone: loads, panic, localities and zones are judged inside it. Localities keep their
// weights only with locality_weight_aware, scaled down to the hosts left with scale_locality_weight. Overprovisioning
// and weighted_priority_health are the cluster's.
//
// Source: docs/behaviour/envoy-host-pick.md 12; Envoy's subset_lb.cc.
#pragma once

#include <memory>

#include "models/envoy/cluster_state.hpp"

namespace spillway::envoy {

// `cluster.lb_policy` is of the subset policy; `before` is null for the first state. A subset that has lost all its
// hosts is gone, and a later one of the same criteria is a new one. Linear in hosts, selectors and subsets.
[[nodiscard]] std::shared_ptr<const SubsetState> refresh_subsets(const Cluster& cluster, const SubsetState* before,
                                                                 const PrioritySet& hosts, const ProxyContext& proxy);

// The hosts of one part, with the locality weights that it sees.
[[nodiscard]] PrioritySet subset_hosts(const policies::subset::Config& config, const PrioritySet& hosts,
                                       std::span<const config::HostIndex> members);

}  // namespace spillway::envoy
