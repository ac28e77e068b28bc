#include "sim/scenario/code_examples_of_meshes.hpp"

#include <array>
#include <string_view>

namespace spillway::scenario {
namespace {

// What is right wherever the rest of a strategy is.
constexpr std::string_view fails_over_to_any_zone = R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: Any } }] } } } }]
)";
constexpr std::string_view prefers_its_zone = R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { localZone: { affinityTags: [{ key: kuma.io/zone }] } } } }]
)";

constexpr std::array of_meshes = std::to_array<CodeExample>({
    {"SP601", R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: All } }] } } } }]
)",
     fails_over_to_any_zone},
    {"SP602", R"(policies:
  - { type: MeshProxyPatch, name: f, mesh: default, spec: { targetRef: { kind: Mesh } } }
)",
     fails_over_to_any_zone},
    {"SP603", R"(policies:
  - { type: MeshTrace, name: f, mesh: default, spec: { targetRef: { kind: Mesh } } }
)",
     fails_over_to_any_zone},
    {"SP604", R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: Any } }] } } } }]
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: Any } }] } } } }]
)",
     fails_over_to_any_zone},
    {"SP611", R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: Any } }], failoverThreshold: { percentage: 70 } } } } }]
clusters: [{ name: cart, outlier_detection: { max_ejection_percent: 50 } }]
)",
     R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: Any } }], failoverThreshold: { percentage: 50 } } } } }]
clusters: [{ name: cart, outlier_detection: { max_ejection_percent: 50 } }]
)"},
    {"SP612", R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { loadBalancer: { type: Maglev }, localityAwareness: { localZone: { affinityTags: [{ key: k }] }, crossZone: { failover: [{ to: { type: Any } }] } } } }]
)",
     R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { loadBalancer: { type: Maglev }, localityAwareness: { crossZone: { failover: [{ to: { type: Any } }] } } } }]
)"},
    {"SP613", R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: {} } }]
)",
     R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { localZone: {} } } }]
)"},
    {"SP614", R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { crossZone: { failover: [] } } } }]
)",
     fails_over_to_any_zone},
    {"SP615", R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: Any } }, { from: { zones: [a] }, to: { type: Only, zones: [b] } }] } } } }]
)",
     R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { crossZone: { failover: [{ from: { zones: [a] }, to: { type: Only, zones: [b] } }, { to: { type: Any } }] } } } }]
)"},
    {"SP616", R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: Only, zones: [c] } }] } } } }]
)",
     R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: Only, zones: [b] } }] } } } }]
)"},
    {"SP617", R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: Any } }], failoverThreshold: { percentage: 50 } } } } }]
)",
     R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: Any } }], failoverThreshold: { percentage: 50 } } } } }]
clusters: [{ name: cart, outlier_detection: { max_ejection_percent: 50 } }]
)"},
    {"SP618", R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { localZone: { affinityTags: [{ key: a }, { key: b }, { key: c }, { key: d }, { key: e }, { key: f }, { key: g }, { key: h }, { key: i }, { key: j }] } } } }]
)",
     prefers_its_zone},
    {"SP619", R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { localZone: { affinityTags: [{ key: kuma.io/zone }, { key: kuma.io/zone }] } } } }]
)",
     prefers_its_zone},
    {"SP620", R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { disabled: true, localZone: {} } } }]
)",
     R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { disabled: true } } }]
)"},
    {"SP621", R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: None } }, { to: { type: Any } }] } } } }]
)",
     R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: None } }] } } } }]
)"},
    {"SP622", R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { localZone: { affinityTags: [{ key: 'k8s.io/az"' }] } } } }]
)",
     prefers_its_zone},
    {"SP634", R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: other
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: Any } }] } } } }]
resources: [{ type: Mesh, name: default }]
)",
     R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: Any } }] } } } }]
resources: [{ type: Mesh, name: default }]
)"},
    {"SP636", R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: Only, zones: [b, b] } }] } } } }]
)",
     R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: Only, zones: [b] } }] } } } }]
)"},
    {"SP637", R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { localZone: { affinityTags: [{ key: rack }] } } } }]
)",
     prefers_its_zone},
    {"SP638", R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { localZone: { affinityTags: [{ key: kuma.io/zone, weight: 10 }, { key: kuma.io/service, weight: 90 }] } } } }]
)",
     R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { localZone: { affinityTags: [{ key: kuma.io/service, weight: 90 }, { key: kuma.io/zone, weight: 10 }] } } } }]
)"},
    {"SP639", R"(profile: { kuma: document }
policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { crossZone: { failover: [{ from: { zones: [a] }, to: { type: None } }, { from: { zones: [a] }, to: { type: Only, zones: [b] } }] } } } }]
)",
     R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: Only, zones: [b] } }, { to: { type: Any } }] } } } }]
)"},
});

}  // namespace

std::span<const CodeExample> code_examples_of_meshes() noexcept {
  return of_meshes;
}

}  // namespace spillway::scenario
