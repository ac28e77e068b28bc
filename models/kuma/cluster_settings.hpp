// Settings of the policy for the cluster and its routes: balancer, locality weights, hash policies.
//
//   ClusterSettings settings = cluster_settings(conf, client, destination);
//   settings.locality_weighted;   // true if affinityTags is not empty, whether or not any group matched
//
// Without a loadBalancer Envoy's round robin remains. Source: docs/behaviour/kuma.md 2, 6 (steps 7 and 8), 11; Kuma's
// meshloadbalancingstrategy/plugin/v1alpha1/plugin.go.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "models/config/profile.hpp"
#include "models/kuma/assign.hpp"
#include "models/kuma/client.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::kuma {

// The values of envoy.config.cluster.v3.Cluster.LbPolicy that Kuma uses.
enum class LbPolicy : std::uint8_t { round_robin, least_request, ring_hash, random, maglev };

// Returns Envoy's name, such as "ROUND_ROBIN".
[[nodiscard]] std::string_view envoy_name(LbPolicy policy);

enum class HashFunction : std::uint8_t { xx_hash, murmur_hash_2 };

// Absent fields are left to Envoy's defaults.
struct LeastRequestLbConfig {
  std::optional<std::uint32_t> choice_count = {};
  std::optional<double> active_request_bias = {};

  friend bool operator==(const LeastRequestLbConfig&, const LeastRequestLbConfig&) = default;
};

struct RingHashLbConfig {
  std::optional<std::uint32_t> minimum_ring_size = {};
  std::optional<std::uint32_t> maximum_ring_size = {};
  std::optional<HashFunction> hash_function = {};

  friend bool operator==(const RingHashLbConfig&, const RingHashLbConfig&) = default;
};

struct MaglevLbConfig {
  std::optional<std::uint32_t> table_size = {};

  friend bool operator==(const MaglevLbConfig&, const MaglevLbConfig&) = default;
};

struct ClusterSettings {
  LbPolicy lb_policy = LbPolicy::round_robin;
  std::optional<LeastRequestLbConfig> least_request_lb_config = {};
  std::optional<RingHashLbConfig> ring_hash_lb_config = {};
  std::optional<MaglevLbConfig> maglev_lb_config = {};
  bool locality_weighted = false;  // locality_weighted_lb_config is set

  friend bool operator==(const ClusterSettings&, const ClusterSettings&) = default;
};

// Returns the cluster's settings. `conf` is nullopt if no policy concerns the destination. An egress of 2.14 accepts
// settings for external services only; an egress of head accepts everything but locality awareness.
[[nodiscard]] ClusterSettings cluster_settings(const std::optional<Conf>& conf, const Client& client,
                                               DestinationModel destination);

// Returns the hash policies of a conf: the outer list, or in 2.14 the list inside the balancer in use. nullopt if
// routes keep their own.
[[nodiscard]] std::optional<std::vector<HashPolicy>> hash_policies(const Conf& conf, config::KumaProfile profile);

// Returns the hash policies of the first existing conf. `most_specific` lists the confs of a route, its service and the
// mesh, most specific first.
[[nodiscard]] std::optional<std::vector<HashPolicy>> hash_policies(std::span<const std::optional<Conf>> most_specific,
                                                                   config::KumaProfile profile);

// The parts of a request that a hash policy may read.
struct HashedRequest {
  Tags headers = {};  // names in lower case
  Tags cookies = {};
  Tags query_parameters = {};
  Tags filter_state = {};
  bool has_source_ip = true;
};

// True if the policies compute a hash of this request. Without a hash, a hash balancer picks at random. A missing
// cookie with a ttl is generated and hashed only from the next request on; it counts as a hash here.
[[nodiscard]] bool makes_hash(std::span<const HashPolicy> policies, const HashedRequest& request);

}  // namespace spillway::kuma
