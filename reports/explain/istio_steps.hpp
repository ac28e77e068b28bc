// The steps before any balancing under Istio's documents: which DestinationRule and which locality setting count, and
// what placed each locality.
#pragma once

namespace spillway::scenario {
struct EdsHosts;  // state_at.hpp
}  // namespace spillway::scenario

namespace spillway::reports::explain {

struct Step;          // explanation.hpp
struct ViewOfClient;  // placement_steps.hpp

// Both for a view that has an IstioTrail.
[[nodiscard]] Step istio_policy_step(const ViewOfClient& of);
[[nodiscard]] Step istio_placement_step(const ViewOfClient& of, const scenario::EdsHosts& reported);

}  // namespace spillway::reports::explain
