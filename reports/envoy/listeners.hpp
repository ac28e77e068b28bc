// Listeners in protobuf's JSON (envoy.config.listener.v3): where a client's requests go in, and the endpoints.
#pragma once

#include <vector>

#include "models/config/strong.hpp"
#include "reports/envoy/envoy_json.hpp"

namespace spillway::reports::envoy_export {

struct ClusterInput;  // clusters.hpp

// Plays the routes on 127.0.0.1. Answers say in x-host which endpoint gave them ("-": none), in x-cluster which cluster
// was asked, in x-response-flags what went wrong, and in x-envoy-attempt-count how often it was tried.
// `filters`: HTTP filters before the router. `check_clusters`: false if routes name clusters that are not there.
[[nodiscard]] Json inbound_listener_json(std::uint32_t port, Json routes, Json filters, bool check_clusters);

// One listener a port in use, on all addresses: answers 200, or as the endpoints of an address behave.
[[nodiscard]] Json upstream_listeners_json(const ClusterInput& input,
                                           const std::vector<config::ServiceIndex>& services);

}  // namespace spillway::reports::envoy_export
