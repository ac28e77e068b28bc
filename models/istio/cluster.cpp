#include "models/istio/cluster.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <variant>

#include "models/istio/proxy.hpp"
#include "models/istio/traffic_policy.hpp"

namespace spillway::istio {

namespace {

DiscoveryType type_of(const Service& service, const Proxy& proxy) {
  switch (service.resolution) {
    case Resolution::dns:
      return DiscoveryType::strict_dns;
    case Resolution::dns_round_robin:
      return DiscoveryType::logical_dns;
    case Resolution::passthrough:
      // For headless services, Istio's gateways use the endpoints; sidecars use the address that the request names.
      return proxy.router && service.kind == "Service" ? DiscoveryType::eds : DiscoveryType::original_dst;
    case Resolution::client_side:
    case Resolution::alias:
      break;
  }
  return DiscoveryType::eds;
}

void apply_pool(const ConnectionPool& pool, const std::optional<RetryBudget>& budget, const MeshConfig& mesh,
                Cluster& cluster) {
  const auto limit = [](std::uint32_t& into, std::uint32_t value) { into = value > 0 ? value : into; };
  if (budget) {
    const CircuitBreakers::Budget defaults;
    cluster.circuit_breakers.retry_budget = {
        budget->percent.value_or(defaults.percent),
        budget->minRetryConcurrency > 0 ? budget->minRetryConcurrency : defaults.min_retry_concurrency};
  }
  cluster.connect_timeout = mesh.connectTimeout;
  if (pool.http) {
    limit(cluster.circuit_breakers.max_requests, pool.http->http2MaxRequests);
    limit(cluster.circuit_breakers.max_pending_requests, pool.http->http1MaxPendingRequests);
    limit(cluster.circuit_breakers.max_retries, pool.http->maxRetries);
    cluster.idle_timeout = pool.http->idleTimeout;
    cluster.max_requests_per_connection = pool.http->maxRequestsPerConnection;
  }
  if (pool.tcp) {
    limit(cluster.circuit_breakers.max_connections, pool.tcp->maxConnections);
    cluster.connect_timeout = pool.tcp->connectTimeout.value_or(cluster.connect_timeout);
    cluster.max_connection_duration = pool.tcp->maxConnectionDuration;
    if (!cluster.idle_timeout) {
      cluster.idle_timeout = pool.tcp->idleTimeout;
    }
  }
}

// Applies HTTP/2 ports, upgrades, and the pool's setting for the client's protocol.
void apply_protocol(const ConnectionPool& pool, Protocol port, const MeshConfig& mesh, Cluster& cluster) {
  using H2Upgrade = ConnectionPool::Http::H2Upgrade;
  const ConnectionPool::Http http = pool.http.value_or(ConnectionPool::Http{});
  const bool by_mesh = http.h2UpgradePolicy == H2Upgrade::by_mesh && is_http(port) && mesh.h2Upgrade;
  if (port == Protocol::unsupported) {
    cluster.upstream_protocol = UpstreamProtocol::as_downstream;
  }
  if (is_http2(port) || (!http.useClientProtocol && (http.h2UpgradePolicy == H2Upgrade::upgrade || by_mesh))) {
    cluster.upstream_protocol = UpstreamProtocol::http2;
    cluster.max_concurrent_streams = http.maxConcurrentStreams;
  }
  if (http.useClientProtocol) {
    cluster.upstream_protocol = UpstreamProtocol::as_downstream;
  }
  const bool options = cluster.idle_timeout || cluster.max_connection_duration ||
                       cluster.max_requests_per_connection > 0 || http.maxConcurrentStreams > 0;
  if (options && !cluster.upstream_protocol) {
    cluster.upstream_protocol = UpstreamProtocol::http1;
  }
}

Ejections ejections_of(const OutlierDetection& outlier, const Switches& switches) {
  const auto enforcing = [](const std::optional<std::uint32_t>& errors) {
    return errors ? std::optional(*errors > 0 ? 100U : 0U) : std::nullopt;
  };
  Ejections made{.consecutive_5xx = outlier.consecutive5xxErrors,
                 .enforcing_consecutive_5xx = enforcing(outlier.consecutive5xxErrors),
                 .consecutive_gateway_failure = outlier.consecutiveGatewayErrors,
                 .enforcing_consecutive_gateway_failure = enforcing(outlier.consecutiveGatewayErrors),
                 .interval = outlier.interval,
                 .base_ejection_time = outlier.baseEjectionTime};
  if (outlier.maxEjectionPercent > 0) {
    made.max_ejection_percent = outlier.maxEjectionPercent;
  }
  if (outlier.splitExternalLocalOriginErrors) {
    made.split_external_local_origin_errors = true;
    if (outlier.consecutiveLocalOriginFailures.value_or(0) > 0) {
      made.consecutive_local_origin_failure = outlier.consecutiveLocalOriginFailures;
      made.enforcing_consecutive_local_origin_failure = 100;
    }
    made.enforcing_local_origin_success_rate = 0;
  }
  if (switches.http_error_codes && !outlier.outlierDetectionHttpErrorCodes.empty()) {
    config::ErrorStatuses& statuses = made.error_statuses.emplace();
    for (const std::uint32_t code : outlier.outlierDetectionHttpErrorCodes) {
      if (code < statuses.size()) {
        statuses.set(code);
      }
    }
  }
  return made;
}

void apply_outlier_detection(const std::optional<OutlierDetection>& outlier, const ClusterRequest& request,
                             Cluster& cluster) {
  const Switches& switches = request.documents->switches;
  const bool always = always_sends_unhealthy(*request.service, switches);
  if (outlier) {
    cluster.outlier_detection = ejections_of(*outlier, switches);
    cluster.healthy_panic_threshold = always ? 0.0 : static_cast<double>(outlier->minHealthPercent);
  } else if (always || switches.auto_send_unhealthy) {
    cluster.healthy_panic_threshold = 0.0;
  }
}

void apply_locality(const EffectiveSetting& setting, Cluster& cluster) {
  if (const auto* const locality = std::get_if<LocalityLbSetting>(&setting.value)) {
    const bool fails_over = setting.forced || cluster.outlier_detection;
    cluster.locality_weighted = !locality->distribute.empty() ||
                                (fails_over && (!locality->failover.empty() || !locality->failoverPriority.empty()));
  } else if (const auto* const zone_aware = std::get_if<ZoneAwareLbSetting>(&setting.value)) {
    cluster.zone_aware = ZoneAwareConfig{!zone_aware->enabled.value_or(true), zone_aware->minClusterSize};
  }
}

std::optional<SlowStart> slow_start_of(const LoadBalancerSettings& balancer) {
  if (balancer.warmup) {
    return SlowStart{balancer.warmup->duration.value_or(Duration{0}), balancer.warmup->aggression.value_or(1.0),
                     balancer.warmup->minimumPercent.value_or(10.0)};
  }
  if (balancer.warmupDurationSecs) {
    return SlowStart{.window = *balancer.warmupDurationSecs};
  }
  return std::nullopt;
}

void apply_hash(const ConsistentHash& hash, Cluster& cluster) {
  cluster.slow_start.reset();
  if (hash.maglev) {
    cluster.lb_policy = LbPolicy::maglev;
    cluster.table_size = *hash.maglev != 0 ? hash.maglev : std::nullopt;
    return;
  }
  cluster.lb_policy = LbPolicy::ring_hash;
  if (hash.ringHash) {
    cluster.minimum_ring_size = *hash.ringHash != 0 ? hash.ringHash : std::nullopt;
  } else {
    cluster.minimum_ring_size = hash.minimumRingSize != 0 ? hash.minimumRingSize : 1024;
  }
}

void apply_balancer(const LoadBalancerSettings& balancer, Cluster& cluster) {
  if (cluster.type == DiscoveryType::original_dst) {
    return;
  }
  switch (balancer.simple) {
    case SimpleLb::random:
      cluster.lb_policy = LbPolicy::random;
      break;
    case SimpleLb::round_robin:
      cluster.lb_policy = LbPolicy::round_robin;
      cluster.slow_start = slow_start_of(balancer);
      break;
    case SimpleLb::passthrough:
      cluster.type = DiscoveryType::original_dst;
      break;
    case SimpleLb::unspecified:
    case SimpleLb::least_conn:
    case SimpleLb::least_request:
      cluster.lb_policy = LbPolicy::least_request;
      cluster.slow_start = slow_start_of(balancer);
      break;
  }
  if (balancer.consistentHash) {
    apply_hash(*balancer.consistentHash, cluster);
  }
}

// Returns the labels of a setting that split priorities; null if there are none.
std::vector<std::string>* failover_labels(EffectiveSetting& setting) {
  if (auto* const locality = std::get_if<LocalityLbSetting>(&setting.value)) {
    return locality->distribute.empty() ? &locality->failoverPriority : nullptr;
  }
  auto* const zone_aware = std::get_if<ZoneAwareLbSetting>(&setting.value);
  return zone_aware != nullptr ? &zone_aware->failoverPriority : nullptr;
}

// Applies the setting to an inline assignment. The cluster's own outlier detection counts, mesh defaults included.
// istiod passes the endpoints of all localities to the step that splits the first locality's endpoints by labels. For
// subsets it passes none.
void apply_inline(const EffectiveSetting& setting, const ClusterRequest& request, Cluster& cluster) {
  LoadAssignment& assignment = *cluster.assignment;
  EffectiveSetting acting = setting;
  const bool fails_over = setting.forced || cluster.outlier_detection;
  std::vector<std::string>* const labels = failover_labels(acting);
  if (fails_over && labels != nullptr && !labels->empty()) {
    if (cluster.subset.empty() && assignment.localities.size() > 1) {
      throw IstiodPanics(
          "istiod panics: failoverPriority on a ServiceEntry by DNS whose endpoints are in several localities");
    }
    const auto* const locality = std::get_if<LocalityLbSetting>(&acting.value);
    if (!cluster.subset.empty()) {
      if (locality != nullptr && locality->failover.empty()) {
        return;
      }
      labels->clear();
    }
  }
  apply(acting, *request.proxy, cluster.outlier_detection.has_value(), assignment);
}

std::optional<Cluster> cluster_of(const ClusterRequest& request, const std::string& subset) {
  const Documents& documents = *request.documents;
  const ServicePort& port = *request.service->port(request.port);
  const auto policy = cluster_policy(request.rule, request.port, subset, documents.mesh, documents.switches);
  const auto own_policy = policy_of(request.rule, request.port, subset);
  AssignRequest assigned{.documents = &documents,
                         .proxy = request.proxy,
                         .service = request.service,
                         .port = request.port,
                         .policy = own_policy ? &*own_policy : nullptr};
  if (!subset.empty()) {
    assigned.subset_labels = find_subset(*request.rule, subset)->labels;
  }
  Cluster cluster{.name = cluster_name(request.port, subset, request.service->hostname), .subset = subset};
  cluster.type = type_of(*request.service, *request.proxy);
  const bool by_dns = cluster.type == DiscoveryType::strict_dns || cluster.type == DiscoveryType::logical_dns;
  if (by_dns) {
    cluster.dns_refresh_rate = documents.mesh.dnsRefreshRate;
    cluster.assignment = grouped(assigned);
    if (cluster.assignment->localities.empty()) {
      return std::nullopt;
    }
  }
  cluster.overrides_host_status = request.service->supports_draining();
  static const ConnectionPool nothing_said;
  const ConnectionPool& pool = policy && policy->connectionPool ? *policy->connectionPool : nothing_said;
  apply_pool(pool, policy ? policy->retryBudget : std::nullopt, documents.mesh, cluster);
  apply_protocol(pool, port.protocol, documents.mesh, cluster);
  apply_outlier_detection(policy ? policy->outlierDetection : std::nullopt, request, cluster);
  const EffectiveSetting setting =
      effective_setting(policy ? &*policy : nullptr, *request.service, documents.mesh, documents.switches);
  apply_locality(setting, cluster);
  if (by_dns) {
    apply_inline(setting, request, cluster);
    cluster.assignment->setting = setting;
  }
  apply_balancer(policy && policy->loadBalancer ? *policy->loadBalancer : LoadBalancerSettings{}, cluster);
  if (cluster.type == DiscoveryType::original_dst) {
    cluster.lb_policy = LbPolicy::cluster_provided;
    cluster.assignment.reset();
  } else if (!by_dns) {
    cluster.assignment = assign(assigned);
  }
  return cluster;
}

}  // namespace

std::string_view envoy_name(DiscoveryType type) {
  constexpr std::string_view names[] = {"EDS", "STRICT_DNS", "LOGICAL_DNS", "ORIGINAL_DST"};
  return names[static_cast<std::size_t>(type)];
}

std::string_view envoy_name(LbPolicy policy) {
  constexpr std::string_view names[] = {"ROUND_ROBIN", "LEAST_REQUEST", "RING_HASH",
                                        "RANDOM",      "MAGLEV",        "CLUSTER_PROVIDED"};
  return names[static_cast<std::size_t>(policy)];
}

std::vector<Cluster> clusters_of(const ClusterRequest& request) {
  const ServicePort* const port = request.service->port(request.port);
  if (request.service->resolution == Resolution::alias || port == nullptr || port->protocol == Protocol::udp) {
    return {};
  }
  auto whole = cluster_of(request, "");
  if (!whole) {
    return {};
  }
  std::vector<Cluster> clusters;
  clusters.push_back(std::move(*whole));
  for (const Subset& subset : request.rule == nullptr ? std::vector<Subset>{} : request.rule->subsets) {
    if (auto made = cluster_of(request, subset.name)) {
      clusters.push_back(std::move(*made));
    }
  }
  std::sort(clusters.begin(), clusters.end(),
            [](const Cluster& left, const Cluster& right) { return left.name < right.name; });
  return clusters;
}

}  // namespace spillway::istio
