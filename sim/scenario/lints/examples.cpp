#include "sim/scenario/lints/examples.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace spillway::scenario::lints {
namespace {

constexpr std::array examples = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"SP750", R"(duration: 60s
zones: [{ name: a }]
services: [{ name: cart, endpoints: [{ count: 3, zone: a }] }]
clusters: [{ name: cart, outlier_detection: { consecutive_5xx: 5 } }]
clients: [{ name: shop, zone: a, workload: { service: cart, rate: 100rps } }]
timeline: [{ at: 10s, endpoints: [cart-1], fails: 100% }]
)"},
    {"SP751", R"(duration: 60s
zones: [{ name: a }]
services: [{ name: cart, endpoints: [{ count: 4, zone: a }] }]
clusters: [{ name: cart, outlier_detection: { max_ejection_percent: 100 } }]
clients: [{ name: shop, zone: a, workload: { service: cart, rate: 100rps } }]
timeline: [{ at: 10s, service: cart, fails: 100% }]
)"},
    {"SP752", R"(duration: 60s
zones: [{ name: a }, { name: b }]
services:
  - name: cart
    endpoints: [{ count: 6, zone: a }, { count: 6, zone: b, priority: 1 }]
clusters: [{ name: cart, outlier_detection: { max_ejection_percent: 10 } }]
clients: [{ name: shop, zone: a, workload: { service: cart, rate: 100rps } }]
timeline: [{ at: 10s, zone: a, fails: 100% }]
)"},
    {"SP753", R"(duration: 60s
zones: [{ name: a }]
services: [{ name: cart, endpoints: [{ count: 3, zone: a }] }]
clusters:
  - name: cart
    health_checks:
      - timeout: 1s
        interval: 5s
        unhealthy_interval: 600s
        unhealthy_threshold: 3
        healthy_threshold: 1
        http_health_check: { path: /health }
clients: [{ name: shop, zone: a, workload: { service: cart, rate: 100rps } }]
)"},
    {"SP754", R"(duration: 60s
zones: [{ name: a }, { name: b }]
services:
  - { name: near, endpoints: [{ count: 3, zone: a }] }
  - { name: far, endpoints: [{ count: 3, zone: b }] }
  - { name: cart }
clusters:
  - name: cart
    lb_policy: CLUSTER_PROVIDED
    cluster_type:
      name: envoy.clusters.aggregate
      typed_config:
        "@type": type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig
        clusters: [near, far]
clients: [{ name: shop, zone: a, workload: { service: cart, rate: 100rps } }]
timeline: [{ at: 10s, service: near, outage: true }]
)"},
    {"SP755", R"(duration: 60s
zones: [{ name: a }]
services: [{ name: cart, endpoints: [{ count: 3, zone: a }] }]
routes:
  - match: { prefix: / }
    route: { cluster: cart, retry_policy: { retry_on: 5xx, num_retries: 1 } }
clients: [{ name: shop, zone: a, workload: { rate: 100rps, requests: [{ path: / }] } }]
)"},
    {"SP756", R"(duration: 60s
zones: [{ name: a }]
services: [{ name: cart, endpoints: [{ count: 6, zone: a, service_time: 20ms }] }]
clusters:
  - name: cart
    circuit_breakers:
      thresholds: [{ retry_budget: { budget_percent: { value: 20 }, min_retry_concurrency: 0 } }]
clients: [{ name: shop, zone: a, workload: { service: cart, rate: 100rps } }]
)"},
    {"SP757", R"(duration: 60s
zones: [{ name: a }]
services: [{ name: cart, endpoints: [{ count: 6, zone: a, service_time: 200ms }] }]
clusters: [{ name: cart, circuit_breakers: { thresholds: [{ max_requests: 10 }] } }]
clients: [{ name: shop, zone: a, workload: { service: cart, rate: 100rps } }]
)"},
    {"SP758", R"(duration: 300s
zones: [{ name: a }]
services: [{ name: cart, endpoints: [{ count: 3, zone: a }] }]
clusters:
  - name: cart
    round_robin_lb_config: { slow_start_config: { slow_start_window: 120s } }
clients: [{ name: shop, zone: a, workload: { service: cart, rate: 100rps } }]
timeline:
  - { at: 60s, add: [{ count: 1, zone: a }] }
  - { at: 120s, add: [{ count: 1, zone: a }] }
)"},
    {"SP759", R"(duration: 60s
zones: [{ name: a }]
services: [{ name: cart, endpoints: [{ count: 5, zone: a }] }]
clusters: [{ name: cart, lb_policy: RING_HASH }]
routes:
  - match: { prefix: / }
    route: { cluster: cart, hash_policy: [{ header: { header_name: x-tenant } }] }
clients:
  - name: shop
    zone: a
    workload:
      rate: 100rps
      requests: [{ headers: { x-tenant: one } }, { headers: { x-tenant: two } }]
)"},
    {"SP763", R"(duration: 60s
zones: [{ name: a }]
services: [{ name: cart, endpoints: [{ count: 20, zone: a }] }]
clusters: [{ name: cart, outlier_detection: { consecutive_5xx: 5, detect_degraded_hosts: true } }]
clients: [{ name: shop, zone: a, workload: { service: cart, rate: 100rps } }]
)"},
    {"SP773", R"(duration: 60s
zones: [{ name: a }]
services: [{ name: cart, endpoints: [{ count: 3, zone: a }] }]
clusters: [{ name: cart, lb_policy: RING_HASH }]
clients: [{ name: shop, zone: a, workload: { service: cart, rate: 100rps } }]
)"},
    {"SP783", R"(duration: 60s
zones: [{ name: a }, { name: b }]
services:
  - { name: cart, endpoints: [{ count: 3, zone: a }, { count: 3, zone: b }] }
  - { name: shop, endpoints: [{ count: 1, zone: a }, { count: 1, zone: b }] }
clusters:
  - name: cart
    common_lb_config: { zone_aware_lb_config: {} }
clients: [{ name: shop, zone: a, workload: { service: cart, rate: 100rps } }]
)"},
    {"SP760", R"(duration: 60s
zones: [{ name: a }]
services: [{ name: cart, endpoints: [{ count: 3, zone: a, service_time: 20ms }] }]
clusters: [{ name: cart, lb_policy: LEAST_REQUEST }]
clients: [{ name: shop, zone: a, count: 50, workload: { service: cart, rate: 5rps } }]
)"},
});

}  // namespace

std::string_view example_of(std::string_view code) noexcept {
  const auto* const found =
      std::find_if(examples.begin(), examples.end(), [&](const auto& example) { return example.first == code; });
  return found == examples.end() ? std::string_view{} : found->second;
}

}  // namespace spillway::scenario::lints
