// The steps before any balancing under Istio's documents: the DestinationRule and locality setting that apply, and the
// rule that placed each locality.
#pragma once

namespace spillway::scenario {
struct EdsHosts;  // state_at.hpp
}  // namespace spillway::scenario

namespace spillway::reports::explain {

struct Step;          // explanation.hpp
struct ViewOfClient;  // placement_steps.hpp

// Return the steps. Precondition: the view has an IstioTrail.
[[nodiscard]] Step istio_policy_step(const ViewOfClient& of);
[[nodiscard]] Step istio_placement_step(const ViewOfClient& of, const scenario::EdsHosts& reported);

}  // namespace spillway::reports::explain
