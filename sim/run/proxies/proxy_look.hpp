// Looks at one proxy, and moves nothing.
//
//   const ProxyMoment moment = look_at(fleet, flows, {.client = entry, .instance = 3, .at = now});
#pragma once

#include "sim/run/proxies/fleet.hpp"
#include "sim/run/records/proxy_moment.hpp"

namespace spillway::run {

// Sessions are not the fleet's, and left 0.
[[nodiscard]] ProxyMoment look_at(Fleet& fleet, const Flows& flows, const Upstreams& upstreams, const ProxyLook& look);

}  // namespace spillway::run
