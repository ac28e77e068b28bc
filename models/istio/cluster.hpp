// The clusters that istiod creates for one proxy and one service port: the whole service, and its rule's subsets.
//
//   std::vector<Cluster> clusters = clusters_of(request);
//   clusters.back().name;          // "outbound|80||web.shop.svc.cluster.local"
//   clusters.back().assignment;    // what its load assignment is, over EDS or inline
//
// Fields are those that istiod writes; absent fields have Envoy's default. Source: docs/behaviour/istio.md 2, 5;
// istiod's pilot/pkg/networking/core/cluster.go, cluster_builder.go, cluster_traffic_policy.go.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/outlier_detection.hpp"
#include "models/istio/destination_rule.hpp"
#include "models/istio/load_assignment.hpp"

namespace spillway::envoy {
struct Cluster;  // cluster.hpp
}  // namespace spillway::envoy

namespace spillway::istio {

struct Proxy;  // proxy.hpp

inline constexpr std::uint32_t unlimited = UINT32_MAX;

enum class DiscoveryType : std::uint8_t { eds, strict_dns, logical_dns, original_dst };
enum class LbPolicy : std::uint8_t { round_robin, least_request, ring_hash, random, maglev, cluster_provided };
enum class UpstreamProtocol : std::uint8_t { http1, http2, as_downstream };

// Returns Envoy's name, such as "STRICT_DNS".
[[nodiscard]] std::string_view envoy_name(DiscoveryType type);
[[nodiscard]] std::string_view envoy_name(LbPolicy policy);

struct CircuitBreakers {
  std::uint32_t max_connections = unlimited;
  std::uint32_t max_pending_requests = unlimited;
  std::uint32_t max_requests = unlimited;
  std::uint32_t max_retries = unlimited;
  struct Budget {
    double percent = 20.0;
    std::uint32_t min_retry_concurrency = 3;
  };
  std::optional<Budget> retry_budget = {};
};

// The fields of envoy.config.cluster.v3.OutlierDetection that istiod writes; enforcing_success_rate is always 0.
struct Ejections {
  std::optional<std::uint32_t> consecutive_5xx = {};
  std::optional<std::uint32_t> enforcing_consecutive_5xx = {};
  std::optional<std::uint32_t> consecutive_gateway_failure = {};
  std::optional<std::uint32_t> enforcing_consecutive_gateway_failure = {};
  std::optional<Duration> interval = {};
  std::optional<Duration> base_ejection_time = {};
  std::optional<std::uint32_t> max_ejection_percent = {};
  bool split_external_local_origin_errors = false;
  std::optional<std::uint32_t> consecutive_local_origin_failure = {};
  std::optional<std::uint32_t> enforcing_consecutive_local_origin_failure = {};
  std::optional<std::uint32_t> enforcing_local_origin_success_rate = {};
  // The statuses that count as errors: HttpProtocolOptions.outlier_detection.error_matcher.
  std::optional<config::ErrorStatuses> error_statuses = {};
};

struct ZoneAwareConfig {
  bool routing_disabled = false;  // routing_enabled 0 %
  std::optional<std::uint32_t> min_cluster_size = {};
};

struct SlowStart {
  Duration window{0};
  std::optional<double> aggression = {};  // written together with the minimum
  std::optional<double> min_weight_percent = {};
};

struct Cluster {
  std::string name = {};
  std::string subset = {};  // "" for the whole service
  DiscoveryType type = DiscoveryType::eds;
  LbPolicy lb_policy = LbPolicy::least_request;
  Duration connect_timeout{0};
  CircuitBreakers circuit_breakers = {};
  std::optional<Ejections> outlier_detection = {};
  std::optional<double> healthy_panic_threshold = {};
  bool locality_weighted = false;
  std::optional<ZoneAwareConfig> zone_aware = {};
  bool overrides_host_status = false;  // HEALTHY, DRAINING, UNKNOWN, DEGRADED
  std::optional<SlowStart> slow_start = {};
  std::optional<std::uint64_t> minimum_ring_size = {};
  std::optional<std::uint64_t> table_size = {};
  std::optional<Duration> idle_timeout = {};
  std::optional<Duration> max_connection_duration = {};
  std::uint32_t max_requests_per_connection = 0;  // 0 if not written
  std::uint32_t max_concurrent_streams = 0;       // 0 if not written
  std::optional<UpstreamProtocol> upstream_protocol = {};
  std::optional<Duration> dns_refresh_rate = {};  // DNS clusters
  std::optional<LoadAssignment> assignment = {};  // nullopt for ORIGINAL_DST
};

struct ClusterRequest {
  const Documents* documents = nullptr;
  const Proxy* proxy = nullptr;  // as returned by known()
  const Service* service = nullptr;
  std::uint32_t port = 0;
  const DestinationRule* rule = nullptr;  // null if none applies
};

// Thrown if istiod would panic with an index out of range: its proxies then receive no configuration at all.
class IstiodPanics : public std::out_of_range {
 public:
  using std::out_of_range::out_of_range;
};

// Returns the clusters sorted by name. Clusters by DNS without endpoints and all clusters of an alias are left out.
// Throws IstiodPanics for failoverPriority on endpoints by DNS in several localities.
[[nodiscard]] std::vector<Cluster> clusters_of(const ClusterRequest& request);

// Translates a cluster and its name into the models' Envoy cluster.
[[nodiscard]] envoy::Cluster to_envoy(const Cluster& cluster);

}  // namespace spillway::istio
