#include "models/istio/validation.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "models/istio/locality_validation.hpp"
#include "models/istio/name_validation.hpp"

namespace spillway::istio {

namespace {

constexpr std::uint64_t largest_table = 5'000'011;

bool is_prime(std::uint64_t number) {
  if (number < 2) {
    return false;
  }
  for (std::uint64_t divisor = 2; divisor * divisor <= number; ++divisor) {
    if (number % divisor == 0) {
      return false;
    }
  }
  return true;
}

void check_outlier(const OutlierDetection& outlier, const std::string& path, std::vector<Finding>& findings) {
  check_duration(outlier.baseEjectionTime, path + ".baseEjectionTime", findings);
  if (outlier.consecutiveErrors != 0) {
    findings.push_back({false, "old-consecutive-errors", path + ".consecutiveErrors",
                        "consecutiveErrors is deprecated and ignored; use consecutiveGatewayErrors or "
                        "consecutive5xxErrors"});
  }
  if (!outlier.splitExternalLocalOriginErrors && outlier.consecutiveLocalOriginFailures.value_or(0) > 0) {
    findings.push_back({true, "local-origin-without-split", path + ".consecutiveLocalOriginFailures",
                        "consecutiveLocalOriginFailures is specified, but splitExternalLocalOriginErrors is false"});
  }
  check_duration(outlier.interval, path + ".interval", findings);
  if (outlier.maxEjectionPercent > 100 || outlier.minHealthPercent > 100) {
    findings.push_back({true, "percent-out-of-range", path, "a percentage must be in the range 0..100"});
  }
}

void check_pool(const ConnectionPool& pool, const std::string& path, std::vector<Finding>& findings) {
  if (!pool.http && !pool.tcp) {
    findings.push_back({true, "empty-pool", path, "a connection pool must have at least one field"});
  }
  if (pool.http && pool.http->h2UpgradePolicy == ConnectionPool::Http::H2Upgrade::upgrade &&
      pool.http->useClientProtocol) {
    findings.push_back({true, "upgrade-with-client-protocol", path + ".http.useClientProtocol",
                        "useClientProtocol must not be true when h2UpgradePolicy is UPGRADE"});
  }
  if (pool.http) {
    check_duration(pool.http->idleTimeout, path + ".http.idleTimeout", findings);
  }
  if (pool.tcp) {
    check_duration(pool.tcp->connectTimeout, path + ".tcp.connectTimeout", findings);
    check_duration(pool.tcp->maxConnectionDuration, path + ".tcp.maxConnectionDuration", findings);
    // 0 switches the timeout off.
    if (pool.tcp->idleTimeout && *pool.tcp->idleTimeout >= std::chrono::milliseconds(1)) {
      check_duration(pool.tcp->idleTimeout, path + ".tcp.idleTimeout", findings);
    }
  }
}

void check_hash(const ConsistentHash& hash, const std::string& path, std::vector<Finding>& findings) {
  if (hash.httpCookie && hash.httpCookie->name.empty()) {
    findings.push_back({true, "cookie-without-name", path + ".httpCookie", "a name is required for httpCookie"});
  }
  if (hash.minimumRingSize != 0) {
    findings.push_back({false, "old-ring-size", path + ".minimumRingSize",
                        "minimumRingSize is deprecated, use ringHash.minimumRingSize"});
    if (hash.ringHash || hash.maglev) {
      findings.push_back({true, "two-ring-sizes", path + ".minimumRingSize",
                          "only one of minimumRingSize and maglev or ringHash can be specified"});
    }
  }
  if (hash.maglev && (*hash.maglev >= largest_table || !is_prime(*hash.maglev))) {
    findings.push_back({true, "maglev-table-size", path + ".maglev",
                        "tableSize must be set for maglev, to a prime number less than 5000011"});
  }
}

void check_warmup(const Warmup& warmup, const std::string& path, std::vector<Finding>& findings) {
  if (!warmup.duration || *warmup.duration < std::chrono::milliseconds(1)) {
    findings.push_back({true, "warmup-without-duration", path, "a duration of at least 1ms is required"});
  } else {
    check_duration(warmup.duration, path + ".duration", findings);
  }
  if (warmup.minimumPercent.value_or(0.0) > 100.0) {
    findings.push_back(
        {true, "warmup-percent", path + ".minimumPercent", "minimumPercent must be less than or equal to 100"});
  }
  if (warmup.aggression && *warmup.aggression <= 0.0) {
    findings.push_back({true, "warmup-aggression", path + ".aggression", "aggression must be greater than 0"});
  }
}

void check_balancer(const LoadBalancerSettings& balancer, bool outlier, const std::string& path,
                    std::vector<Finding>& findings) {
  if (balancer.consistentHash) {
    check_hash(*balancer.consistentHash, path + ".consistentHash", findings);
  }
  if (balancer.localityLbSetting && balancer.zoneAwareLbSetting) {
    findings.push_back({true, "locality-and-zone-aware", path + ".zoneAwareLbSetting",
                        "only one of localityLbSetting and zoneAwareLbSetting can be set"});
  }
  if (balancer.localityLbSetting) {
    check_locality(*balancer.localityLbSetting, outlier, path + ".localityLbSetting", findings);
  }
  if (balancer.zoneAwareLbSetting) {
    check_zone_aware(*balancer.zoneAwareLbSetting, outlier, path + ".zoneAwareLbSetting", findings);
  }
  if (balancer.warmup) {
    check_warmup(*balancer.warmup, path + ".warmup", findings);
  }
}

void check_policy(const TrafficPolicy& policy, const std::string& path, std::vector<Finding>& findings) {
  if (policy.outlierDetection) {
    check_outlier(*policy.outlierDetection, path + ".outlierDetection", findings);
  }
  if (policy.connectionPool) {
    check_pool(*policy.connectionPool, path + ".connectionPool", findings);
  }
  if (policy.loadBalancer) {
    check_balancer(*policy.loadBalancer, policy.outlierDetection.has_value(), path + ".loadBalancer", findings);
  }
  for (std::size_t settings = 0; settings < policy.portLevelSettings.size(); ++settings) {
    const PortTrafficPolicy& port = policy.portLevelSettings[settings];
    const std::string at = path + ".portLevelSettings[" + std::to_string(settings) + "]";
    if (!port.port) {
      findings.push_back({true, "settings-without-port", at, "a port's traffic policy must have a valid port"});
    }
    if (!port.policy.outlierDetection && !port.policy.connectionPool && !port.policy.loadBalancer &&
        !port.policy.other) {
      findings.push_back({true, "empty-policy", at, "a port's traffic policy must have at least one field"});
    }
    check_policy(port.policy, at, findings);
  }
}

void check_whole_policy(const std::optional<TrafficPolicy>& policy, const std::string& path,
                        std::vector<Finding>& findings) {
  if (!policy) {
    return;
  }
  if (!policy->outlierDetection && !policy->connectionPool && !policy->loadBalancer && !policy->retryBudget &&
      !policy->other && policy->portLevelSettings.empty()) {
    findings.push_back({true, "empty-policy", path, "a traffic policy must have at least one field"});
    return;
  }
  check_policy(*policy, path, findings);
}

}  // namespace

std::vector<Finding> validate(const DestinationRule& rule) {
  std::vector<Finding> findings;
  // A missing host is reported by the reader.
  if (!rule.host.empty() && !is_domain(rule.host, true)) {
    findings.push_back({true, "host-name", "spec.host", "\"" + rule.host + "\" is no name of a host"});
  }
  check_whole_policy(rule.trafficPolicy, "spec.trafficPolicy", findings);
  std::set<std::string> names;
  for (std::size_t subset = 0; subset < rule.subsets.size(); ++subset) {
    const std::string path = "spec.subsets[" + std::to_string(subset) + "]";
    const std::string& name = rule.subsets[subset].name;
    if (!names.insert(name).second) {
      findings.push_back({true, "subset-twice", path + ".name", "duplicate subset names: " + name});
    }
    if (!is_dns_label(name)) {
      findings.push_back(
          {true, "subset-name", path + ".name", "a subset's name has up to 63 letters, digits and - between them"});
    }
    check_labels(rule.subsets[subset].labels, path + ".labels", findings);
    check_whole_policy(rule.subsets[subset].trafficPolicy, path + ".trafficPolicy", findings);
  }
  check_exports(rule.exportTo, rule.meta.name_space,
                rule.workloadSelector ? Exported::rule_with_selector : Exported::document, findings);
  check_selector(rule.workloadSelector, findings);
  return findings;
}

std::vector<Finding> validate(const MeshConfig& mesh) {
  std::vector<Finding> findings;
  check_duration(mesh.connectTimeout, "connectTimeout", findings);
  if (mesh.defaultTrafficPolicy.connectionPool) {
    check_pool(*mesh.defaultTrafficPolicy.connectionPool, "defaultTrafficPolicy.connectionPool", findings);
  }
  if (mesh.defaultTrafficPolicy.outlierDetection) {
    check_outlier(*mesh.defaultTrafficPolicy.outlierDetection, "defaultTrafficPolicy.outlierDetection", findings);
  }
  if (mesh.defaultHttpRetryPolicy) {
    check_retries(*mesh.defaultHttpRetryPolicy, "defaultHttpRetryPolicy", findings);
  }
  return findings;
}

void check_duration(const std::optional<Duration>& duration, const std::string& path, std::vector<Finding>& findings) {
  constexpr std::chrono::milliseconds smallest(1);
  if (duration && *duration < smallest) {
    findings.push_back({true, "duration-too-short", path, "a duration must be at least 1ms"});
  } else if (duration && *duration % smallest != Duration::zero()) {
    findings.push_back({true, "duration-too-precise", path, "only durations in whole milliseconds are supported"});
  }
}

bool is_refused(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(), [](const Finding& finding) { return finding.refused; });
}

}  // namespace spillway::istio
