// The source of a cluster that Kuma makes: the destination's protocol, and the policies that apply to it.
//
//   ClusterSource source{.protocol = "http", .http2 = true};
//   cluster_json("kri_msvc_default_z1__backend_8080", source);   // write_cluster.hpp: the Cluster that Kuma sends,
//   without its transport socket
#pragma once

#include <optional>
#include <string>

#include "models/kuma/cluster_settings.hpp"
#include "models/kuma/mesh_circuit_breaker.hpp"
#include "models/kuma/mesh_health_check.hpp"
#include "models/kuma/mesh_timeout.hpp"

namespace spillway::kuma {

struct ClusterSource {
  std::string protocol = {};
  bool http2 = false;   // requests to endpoints use HTTP/2
  bool opaque = false;  // connections out of the mesh that carry no HTTP
  ClusterSettings settings = {};
  CircuitBreakerConf circuit_breaker = {};
  std::optional<HealthCheckConf> health_check = {};
  TimeoutConf timeout = {};
  bool head = false;  // the release
};

}  // namespace spillway::kuma
