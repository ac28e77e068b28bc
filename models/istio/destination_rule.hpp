// A DestinationRule, and the parts of a mesh's configuration with the same settings. Field names are Istio's. Fields
// that are not written are absent, since absent and empty differ nearly everywhere.
//
// Source: docs/behaviour/istio.md 3 to 5; networking/v1 and mesh/v1alpha1 of istio.io/api.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/istio/names.hpp"

namespace spillway::istio {

using Duration = std::chrono::nanoseconds;

// The metadata of any document. `age` is the position by creation time, then name; the oldest is first.
struct Meta {
  std::string kind = {};
  std::string name = {};
  std::string name_space = "default";
  Labels labels = {};
  Labels annotations = {};
  std::size_t age = 0;                             // its position among the documents, from 1
  std::optional<std::int64_t> created = {};        // [s since 1970], if the document has it
  std::pair<std::string, std::string> owner = {};  // kind and name of the first of ownerReferences
};

// True if `left` is older to istiod: by creation time, name and namespace. Objects without a time come last, in order.
[[nodiscard]] bool is_older(const Meta& left, const Meta& right);

struct LocalityLbSetting {
  struct Distribute {
    std::string from = {};
    std::vector<std::pair<std::string, std::uint32_t>> to = {};  // [%], in the order of the file
  };
  struct Failover {
    std::string from = {};
    std::string to = {};
  };
  std::optional<bool> enabled = {};
  std::vector<Distribute> distribute = {};
  std::vector<Failover> failover = {};
  std::vector<std::string> failoverPriority = {};
};

struct ZoneAwareLbSetting {
  std::optional<bool> enabled = {};
  std::vector<LocalityLbSetting::Failover> failover = {};
  std::vector<std::string> failoverPriority = {};
  std::optional<std::uint32_t> minClusterSize = {};
};

enum class SimpleLb : std::uint8_t { unspecified, least_conn, random, passthrough, round_robin, least_request };

struct ConsistentHash {
  struct Cookie {
    std::string name = {};
    std::string path = {};
    std::optional<Duration> ttl = {};
  };
  std::string httpHeaderName = {};
  std::optional<Cookie> httpCookie = {};
  std::optional<bool> useSourceIp = {};
  std::string httpQueryParameterName = {};
  std::optional<std::uint64_t> ringHash = {};  // its minimumRingSize; 0 if not set
  std::optional<std::uint64_t> maglev = {};    // its tableSize; 0 if not set
  std::uint64_t minimumRingSize = 0;           // the old field
};

struct Warmup {
  std::optional<Duration> duration = {};
  std::optional<double> minimumPercent = {};
  std::optional<double> aggression = {};
};

struct LoadBalancerSettings {
  SimpleLb simple = SimpleLb::unspecified;
  std::optional<ConsistentHash> consistentHash = {};
  std::optional<LocalityLbSetting> localityLbSetting = {};
  std::optional<ZoneAwareLbSetting> zoneAwareLbSetting = {};
  std::optional<Warmup> warmup = {};
  std::optional<Duration> warmupDurationSecs = {};
};

struct ConnectionPool {
  struct Tcp {
    std::uint32_t maxConnections = 0;
    std::optional<Duration> connectTimeout = {};
    std::optional<Duration> idleTimeout = {};
    std::optional<Duration> maxConnectionDuration = {};
  };
  struct Http {
    enum class H2Upgrade : std::uint8_t { by_mesh, do_not_upgrade, upgrade };
    std::uint32_t http1MaxPendingRequests = 0;
    std::uint32_t http2MaxRequests = 0;
    std::uint32_t maxRequestsPerConnection = 0;
    std::uint32_t maxRetries = 0;
    std::optional<Duration> idleTimeout = {};
    H2Upgrade h2UpgradePolicy = H2Upgrade::by_mesh;
    bool useClientProtocol = false;
    std::uint32_t maxConcurrentStreams = 0;
  };
  std::optional<Tcp> tcp = {};
  std::optional<Http> http = {};
};

struct OutlierDetection {
  std::optional<std::uint32_t> consecutive5xxErrors = {};
  std::optional<std::uint32_t> consecutiveGatewayErrors = {};
  std::optional<Duration> interval = {};
  std::optional<Duration> baseEjectionTime = {};
  std::uint32_t maxEjectionPercent = 0;
  std::uint32_t minHealthPercent = 0;
  bool splitExternalLocalOriginErrors = false;
  std::optional<std::uint32_t> consecutiveLocalOriginFailures = {};
  std::uint32_t consecutiveErrors = 0;                             // the old field, without effect
  std::vector<std::uint32_t> outlierDetectionHttpErrorCodes = {};  // 1.31: these count instead of 5xx; empty means 5xx
};

struct RetryBudget {
  std::optional<double> percent = {};
  std::uint32_t minRetryConcurrency = 0;
  std::optional<Duration> budgetInterval = {};
};

struct PortTrafficPolicy;

struct TrafficPolicy {
  std::optional<LoadBalancerSettings> loadBalancer = {};
  std::optional<ConnectionPool> connectionPool = {};
  std::optional<OutlierDetection> outlierDetection = {};
  std::optional<RetryBudget> retryBudget = {};
  bool other = false;  // tls, tunnel or proxyProtocol: no effect on shares
  std::vector<PortTrafficPolicy> portLevelSettings;
};

struct PortTrafficPolicy {
  std::optional<std::uint32_t> port = {};
  TrafficPolicy policy;  // without portLevelSettings
};

struct Subset {
  std::string name = {};
  Labels labels = {};
  std::optional<TrafficPolicy> trafficPolicy = {};
};

struct DestinationRule {
  Meta meta = {};
  std::string host = {};
  std::optional<TrafficPolicy> trafficPolicy = {};
  std::vector<Subset> subsets = {};
  std::vector<std::string> exportTo = {};
  std::optional<Labels> workloadSelector = {};  // its matchLabels
};

// The section meshConfig.defaultTrafficPolicy (1.31).
struct DefaultTrafficPolicy {
  std::optional<ConnectionPool> connectionPool = {};
  std::optional<OutlierDetection> outlierDetection = {};
};

}  // namespace spillway::istio
