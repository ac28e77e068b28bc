// What the proxies of a class of clients have been told of their hosts at one moment, and the loads that follow.
#pragma once

#include "models/envoy/cluster.hpp"
#include "sim/run/eds/upstreams.hpp"
#include "sim/run/results.hpp"
#include "sim/run/traffic/targets.hpp"

namespace spillway::run {

// Of the flow's class. `hosts` and `cluster` are those of its service. O(hosts).
[[nodiscard]] EpochHealth epoch_health(const scenario::Scenario& scenario, const Targets& hosts,
                                       const envoy::Cluster& cluster, const Upstreams& upstreams, FlowIndex flow);

}  // namespace spillway::run
