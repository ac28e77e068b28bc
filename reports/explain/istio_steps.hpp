// The steps before any balancing under Istio's documents: which DestinationRule and which locality setting count, and
// what placed each locality.
#pragma once

#include "reports/explain/explanation.hpp"
#include "reports/explain/placement_steps.hpp"
#include "sim/run/eds/upstreams.hpp"

namespace spillway::reports::explain {

// Both for a view that has an IstioTrail.
[[nodiscard]] Step istio_policy_step(const ViewOfClient& of);
[[nodiscard]] Step istio_placement_step(const ViewOfClient& of, const scenario::EdsHosts& reported);

}  // namespace spillway::reports::explain
