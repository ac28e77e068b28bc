// Translates Kuma's cluster settings into Envoy's.
//
//   envoy::Cluster cluster;
//   apply(cluster_settings(conf, client, destination), cluster);
//   cluster.common_lb_config.locality_config_specifier;   // weighted by locality, if affinityTags is not empty
//
// Source: docs/behaviour/kuma.md 6 (steps 7 and 8); Kuma's meshloadbalancingstrategy/plugin/xds/configurer.go.
#pragma once

namespace spillway::envoy {
struct Cluster;  // cluster.hpp
}  // namespace spillway::envoy

namespace spillway::envoy::routes {
struct HashPolicy;  // hash_policy.hpp
}  // namespace spillway::envoy::routes

namespace spillway::kuma {

struct ClusterSettings;  // cluster_settings.hpp
struct HashPolicy;       // mesh_load_balancing_strategy.hpp

// Sets the balancer and whether localities are weighted; the rest of the cluster is unchanged.
void apply(const ClusterSettings& settings, envoy::Cluster& cluster);

// Translates one hash policy of a route. Precondition: validation admits its type.
[[nodiscard]] envoy::routes::HashPolicy to_envoy(const HashPolicy& policy);

}  // namespace spillway::kuma
