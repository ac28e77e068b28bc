// Writes listeners in protobuf's JSON (envoy.config.listener.v3): for a client's requests, and for the endpoints.
#pragma once

#include <vector>

#include "models/config/strong.hpp"
#include "reports/envoy/envoy_json.hpp"

namespace spillway::reports::envoy_export {

struct ClusterInput;  // clusters.hpp

// Returns the fields of a virtual host by which responses name the endpoint in x-host ("-" if there is none), the
// cluster in x-cluster, the failure in x-response-flags, and the number of attempts in x-envoy-attempt-count.
[[nodiscard]] Json shown_in_responses_json();

// Returns a listener on 127.0.0.1 that applies the routes, and shows in responses what they did.
struct InboundListener {
  std::uint32_t port = 0;
  Json routes = {};
  Json filters = {};           // HTTP filters before the router
  bool check_clusters = true;  // false if routes name missing clusters
};
[[nodiscard]] Json inbound_listener_json(InboundListener listener);

// Returns one listener per port in use, on all addresses. It returns 200, or behaves like the endpoints of an address,
// and names its address in x-host, for the responses of TCP listeners.
[[nodiscard]] std::vector<Json> upstream_listeners_json(const ClusterInput& input,
                                                        const std::vector<config::ServiceIndex>& services);

}  // namespace spillway::reports::envoy_export
