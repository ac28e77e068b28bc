// Limits that hold though nobody writes them: Envoy's 1,024 requests in flight from a proxy to a cluster, and the 15 s
// after which a request without a route of its own ends.
//
//   growth_to_default_limits(still, loads, service);   // 1.6: at so many times the requests one of them comes near
//
// Shares do not tell what they end, so that errors are measured where they are near; far below them nothing is.
#pragma once

#include "models/config/strong.hpp"
#include "sim/plan/loads.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::plan {

// From how many times the requests on one of them may end requests for the service; infinity: at no number up to the
// largest that a plan looks at. By an upper bound on the time that a request spends at the busiest of its endpoints
// (Erlang's and Allen and Cunneen's, with every request waiting) and Little's law, with room for chance: half as many
// in flight, or a twentieth of the time. Linear in the endpoints and clients.
[[nodiscard]] double growth_to_default_limits(const scenario::Scenario& still, const Loads& loads,
                                              config::ServiceIndex service);

}  // namespace spillway::plan
