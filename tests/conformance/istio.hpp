// Cases recorded from istiod's own code: documents and a proxy in; clusters, load assignments, routes and shares out.
// Their format: docs/behaviour/istio.md 15.
#pragma once

#include <string>
#include <vector>

#include "models/istio/cluster.hpp"
#include "models/istio/routes.hpp"
#include "tests/conformance/check.hpp"

namespace spillway::conformance {

[[nodiscard]] bool is_istio_case(const json& test_case);

// Every difference between what the case expects and what the models make.
[[nodiscard]] std::vector<std::string> replay_istio(const json& test_case);

// What istiod writes, in proto field names, fields that are absent left out.
[[nodiscard]] json istio_cluster_json(const istio::Cluster& cluster);
[[nodiscard]] json istio_assignment_json(const istio::Cluster& cluster);
[[nodiscard]] json istio_route_json(const istio::Route& route);
[[nodiscard]] json istio_tcp_json(const istio::TcpProxy& proxy);

// The part of the requests by address in percent, with the hosts in `unhealthy` ejected; "no host" for the rest.
[[nodiscard]] json istio_shares(const istio::Cluster& cluster, const std::vector<std::string>& unhealthy);

}  // namespace spillway::conformance
