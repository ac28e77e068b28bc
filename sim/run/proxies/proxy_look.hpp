// Inspects one proxy without changing it.
//
//   const ProxyMoment moment = look_at(fleet, flows, {.client = entry, .instance = 3, .at = now});
#pragma once

namespace spillway::run {

class Fleet;         // fleet.hpp
class Flows;         // flows.hpp
class Upstreams;     // upstreams.hpp
struct ProxyLook;    // proxy_moment.hpp
struct ProxyMoment;  // proxy_moment.hpp

// Returns the state of the proxy. Sessions are not part of the fleet; their count stays 0.
[[nodiscard]] ProxyMoment look_at(Fleet& fleet, const Flows& flows, const Upstreams& upstreams, const ProxyLook& look);

}  // namespace spillway::run
