// What the policy sets on the cluster and on its routes: balancer, locality weights, hash policies.
//
//   ClusterSettings settings = cluster_settings(conf, client, destination);
//   settings.locality_weighted;   // true if affinityTags is not empty, whether or not any group matched
//
// No loadBalancer leaves Envoy's round robin. Source: docs/behaviour/kuma.md 2, 6 (steps 7 and 8), 11; Kuma's
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

// envoy.config.cluster.v3.Cluster.LbPolicy, as far as Kuma uses it.
enum class LbPolicy : std::uint8_t { round_robin, least_request, ring_hash, random, maglev };

// "ROUND_ROBIN" and so on.
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

// `conf`: none if no policy concerns the destination. An egress of 2.14 takes settings for external services only; one
// of head everything but locality awareness.
[[nodiscard]] ClusterSettings cluster_settings(const std::optional<Conf>& conf, const Client& client,
                                               DestinationModel destination);

// The hash policies of a conf: the outer list, or in 2.14 the one inside the balancer in use. None: routes keep theirs.
[[nodiscard]] std::optional<std::vector<HashPolicy>> hash_policies(const Conf& conf, config::KumaProfile profile);

// Of the confs of a route, its service and the mesh, most specific first, those of the first that exists.
[[nodiscard]] std::optional<std::vector<HashPolicy>> hash_policies(std::span<const std::optional<Conf>> most_specific,
                                                                   config::KumaProfile profile);

// What a request brings that a hash policy may read.
struct HashedRequest {
  Tags headers = {};  // names in lower case
  Tags cookies = {};
  Tags query_parameters = {};
  Tags filter_state = {};
  bool has_source_ip = true;
};

// Whether the policies make a hash of this request. Without one a hash balancer picks at random. A cookie with a ttl
// is made up where it is missing, and hashed from the next request on only; it counts as a hash here.
[[nodiscard]] bool makes_hash(std::span<const HashPolicy> policies, const HashedRequest& request);

}  // namespace spillway::kuma
