// Health of hosts as EDS reported it to a class of clients at one time, and the resulting loads.
#pragma once

#include "models/envoy/forward.hpp"
#include "sim/run/traffic/flows.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::run {

class Targets;       // targets.hpp
class Upstreams;     // upstreams.hpp
struct EpochHealth;  // results.hpp

// Returns the health that the flow's class sees. `hosts` and `cluster` are those of its service. O(hosts).
[[nodiscard]] EpochHealth epoch_health(const scenario::Scenario& scenario, const Targets& hosts,
                                       const envoy::Cluster& cluster, const Upstreams& upstreams, FlowIndex flow);

}  // namespace spillway::run
