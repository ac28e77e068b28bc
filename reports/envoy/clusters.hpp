// Writes clusters with their endpoints in protobuf's JSON (envoy.config.cluster.v3, envoy.config.endpoint.v3).
#pragma once

#include <string>

#include "models/config/strong.hpp"
#include "reports/envoy/envoy_json.hpp"

namespace spillway::envoy {
struct Cluster;  // cluster.hpp
}  // namespace spillway::envoy

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
struct Service;   // service.hpp
}  // namespace spillway::scenario

namespace spillway::reports::envoy_export {

class Addresses;  // addresses.hpp
struct Moment;    // moment.hpp

// The input for all clusters of an export.
struct ClusterInput {
  const scenario::Scenario& scenario;
  const Moment& moment;
  const Addresses& addresses;
};

// Writes an envoy.config.endpoint.v3.ClusterLoadAssignment. An endpoint whose exported address differs from the
// scenario's has the scenario's as its hash_key, unless it is hashed by hostname. So hash rings and tables stay those
// of the simulation.
[[nodiscard]] Json load_assignment_json(const ClusterInput& input, config::ServiceIndex service);

// Writes an envoy.config.cluster.v3.Cluster: STATIC, or EDS from the file eds_file(service) if its hosts change over
// time.
[[nodiscard]] Json cluster_json(const ClusterInput& input, config::ServiceIndex service);

[[nodiscard]] Json cluster_type_json(const envoy::Cluster& cluster);

// Writes a cluster's settings other than name, type and hosts: policy, common_lb_config, checks, ejections, breakers.
[[nodiscard]] Json cluster_settings_json(const envoy::Cluster& cluster);

[[nodiscard]] bool is_eds(const ClusterInput& input, config::ServiceIndex service);
[[nodiscard]] std::string eds_file(const scenario::Service& service);

// Writes an envoy.service.discovery.v3.DiscoveryResponse.
[[nodiscard]] Json eds_response_json(const ClusterInput& input, config::ServiceIndex service);

}  // namespace spillway::reports::envoy_export
