// Examples that are whole scenarios: control planes, worlds of Kuma's documents; and more that are keys of one.
#include <array>

#include "sim/scenario/code_examples_of_meshes.hpp"

namespace spillway::scenario {
namespace {

// What several codes are put right by, or come about from.
constexpr const char* readings_with_differences = R"(duration: 60s
control_plane: { cores: 64, services: 10, instances: 2, reachable_services: 3, join: { from: 1s, to: 9s }, cost: { generation: 5ms }, readings: { precision: 0s, rows: [{ at: 5s, p50: 1s }], known_differences: [{ reason: rounded, rows: [{ at: 5s, p50: { documented: 1s, ours: 2s } }] }] } }
)";
constexpr const char* request_that_a_route_matches =
    R"(clients: [{ name: shop, zone: a, workload: { rate: 10rps, path: /a } }]
routes: [{ match: { prefix: /a }, route: { cluster: cart } }]
)";

constexpr std::array of_worlds = std::to_array<CodeExample>({
    {"SP631", R"(duration: 20s
resources:
  - { type: Dataplane, mesh: one, name: web, networking: { address: 10.0.0.1, inbound: [{ port: 80, tags: { kuma.io/service: web, kuma.io/zone: z } }], outbound: [{ port: 81, tags: { kuma.io/service: backend } }] } }
  - { type: Dataplane, mesh: two, name: backend, networking: { address: 10.0.0.2, inbound: [{ port: 80, tags: { kuma.io/service: backend, kuma.io/zone: z } }] } }
)",
     R"(duration: 20s
resources:
  - { type: Dataplane, mesh: one, name: web, networking: { address: 10.0.0.1, inbound: [{ port: 80, tags: { kuma.io/service: web, kuma.io/zone: z } }], outbound: [{ port: 81, tags: { kuma.io/service: backend } }] } }
  - { type: Dataplane, mesh: one, name: backend, networking: { address: 10.0.0.2, inbound: [{ port: 80, tags: { kuma.io/service: backend, kuma.io/zone: z } }] } }
)",
     ExampleOf::file},
    {"SP633", R"(duration: 20s
resources:
  - { type: Dataplane, mesh: default, name: web, networking: { address: 10.0.0.1, inbound: [{ port: 80, tags: { kuma.io/service: web, kuma.io/zone: z } }], outbound: [{ port: 81, tags: { kuma.io/service: backnd } }] } }
  - { type: Dataplane, mesh: default, name: backend, networking: { address: 10.0.0.2, inbound: [{ port: 80, tags: { kuma.io/service: backend, kuma.io/zone: z } }] } }
)",
     R"(duration: 20s
resources:
  - { type: Dataplane, mesh: default, name: web, networking: { address: 10.0.0.1, inbound: [{ port: 80, tags: { kuma.io/service: web, kuma.io/zone: z } }], outbound: [{ port: 81, tags: { kuma.io/service: backend } }] } }
  - { type: Dataplane, mesh: default, name: backend, networking: { address: 10.0.0.2, inbound: [{ port: 80, tags: { kuma.io/service: backend, kuma.io/zone: z } }] } }
)",
     ExampleOf::file},
    {"SP635", R"(duration: 20s
zones: [{ name: z }]
clients:
  - { name: web-1, zone: z, workload: { service: backend, rate: 100rps } }
  - { name: web-2, zone: z, workload: { service: backend, rate: 100rps } }
resources:
  - { type: Dataplane, mesh: one, name: web-1, networking: { address: 10.0.0.1, inbound: [{ port: 80, tags: { kuma.io/service: web, kuma.io/zone: z } }] } }
  - { type: Dataplane, mesh: two, name: web-2, networking: { address: 10.0.0.2, inbound: [{ port: 80, tags: { kuma.io/service: web, kuma.io/zone: z } }] } }
  - { type: Dataplane, mesh: one, name: backend, networking: { address: 10.0.0.3, inbound: [{ port: 80, tags: { kuma.io/service: backend, kuma.io/zone: z } }] } }
)",
     R"(duration: 20s
zones: [{ name: z }]
clients:
  - { name: web-1, zone: z, workload: { service: backend, rate: 100rps } }
  - { name: web-2, zone: z, workload: { service: backend, rate: 100rps } }
resources:
  - { type: Dataplane, mesh: one, name: web-1, networking: { address: 10.0.0.1, inbound: [{ port: 80, tags: { kuma.io/service: web, kuma.io/zone: z } }] } }
  - { type: Dataplane, mesh: one, name: web-2, networking: { address: 10.0.0.2, inbound: [{ port: 80, tags: { kuma.io/service: web, kuma.io/zone: z } }] } }
  - { type: Dataplane, mesh: one, name: backend, networking: { address: 10.0.0.3, inbound: [{ port: 80, tags: { kuma.io/service: backend, kuma.io/zone: z } }] } }
)",
     ExampleOf::file},
    {"SP730", R"(duration: 60s
mode: exact
control_plane: { cores: 64, services: 10, instances: 2, reachable_services: 3, join: { from: 1s, to: 9s }, cost: { generation: 5ms } }
)",
     R"(duration: 60s
control_plane: { cores: 64, services: 10, instances: 2, reachable_services: 3, join: { from: 1s, to: 9s }, cost: { generation: 5ms } }
)",
     ExampleOf::file},
    {"SP731", R"(duration: 60s
control_plane: { cores: 64, services: 10, instances: 2, reachable_services: 3, join: { from: 1s, to: 60s }, cost: { generation: 5ms } }
)",
     R"(duration: 60s
control_plane: { cores: 64, services: 10, instances: 2, reachable_services: 3, join: { from: 1s, to: 59s }, cost: { generation: 5ms } }
)",
     ExampleOf::file},
    {"SP732", R"(duration: 60s
control_plane: { cores: 64, services: 10, instances: 2, reachable_services: 3, join: { from: 10s, to: 9s }, cost: { generation: 5ms } }
)",
     R"(duration: 60s
control_plane: { cores: 64, services: 10, instances: 2, reachable_services: 3, join: { from: 9s, to: 10s }, cost: { generation: 5ms } }
)",
     ExampleOf::file},
    {"SP733", R"(duration: 60s
control_plane: { cores: 64, services: 10, instances: 2, reachable_services: 3, join: { from: 1s, to: 9s }, cost: { generation: 5ms }, policies: [{ services: 60%, default: {} }, { services: 41%, default: {} }] }
)",
     R"(duration: 60s
control_plane: { cores: 64, services: 10, instances: 2, reachable_services: 3, join: { from: 1s, to: 9s }, cost: { generation: 5ms }, policies: [{ services: 60%, default: {} }, { services: 40%, default: {} }] }
)",
     ExampleOf::file},
    {"SP734", R"(duration: 60s
control_plane: { cores: 64, services: 10, instances: 2, reachable_services: 3, join: { from: 1s, to: 9s }, cost: { generation: 5ms }, readings: { precision: 0s, rows: [{ at: 9s, p50: 1s }, { at: 5s, p50: 1s }] } }
)",
     R"(duration: 60s
control_plane: { cores: 64, services: 10, instances: 2, reachable_services: 3, join: { from: 1s, to: 9s }, cost: { generation: 5ms }, readings: { precision: 0s, rows: [{ at: 5s, p50: 1s }, { at: 9s, p50: 1s }] } }
)",
     ExampleOf::file},
    {"SP735", R"(duration: 60s
control_plane: { cores: 64, services: 10, instances: 2, reachable_services: 3, join: { from: 1s, to: 9s }, cost: { generation: 5ms }, variations: [{ name: many, services: 200000, instances: 6 }] }
)",
     R"(duration: 60s
control_plane: { cores: 64, services: 10, instances: 2, reachable_services: 3, join: { from: 1s, to: 9s }, cost: { generation: 5ms }, variations: [{ name: many, services: 200000, instances: 5 }] }
)",
     ExampleOf::file},
    {"SP736", R"(duration: 60s
control_plane: { cores: 64, services: 10, instances: 2, reachable_services: 3, join: { from: 1s, to: 9s }, cost: { generation: 5ms }, variations: [{ name: all, reachable_services: 10 }] }
)",
     R"(duration: 60s
control_plane: { cores: 64, services: 10, instances: 2, reachable_services: 3, join: { from: 1s, to: 9s }, cost: { generation: 5ms }, variations: [{ name: all, reachable_services: 9 }] }
)",
     ExampleOf::file},
    {"SP737", R"(duration: 60s
control_plane: { cores: 64, services: 10, instances: 2, reachable_services: 3, join: { from: 1s, to: 9s }, cost: { generation: 5ms }, ratios: [{ to: slow, at: 1s, to_at: 1s, p50: 1 }] }
)",
     R"(duration: 60s
control_plane: { cores: 64, services: 10, instances: 2, reachable_services: 3, join: { from: 1s, to: 9s }, cost: { generation: 5ms }, ratios: [{ to: slow, at: 1s, to_at: 1s, p50: 1 }], variations: [{ name: slow, cores: 1 }] }
)",
     ExampleOf::file},
    {"SP739", R"(duration: 60s
control_plane: { cores: 64, services: 10, instances: 2, reachable_services: 3, join: { from: 1s, to: 9s }, cost: { generation: 5ms }, readings: { precision: 0s, rows: [{ at: 5s, p50: 1s }], known_differences: [{ reason: rounded, rows: [{ at: 6s, p50: { documented: 1s, ours: 2s } }] }] } }
)",
     readings_with_differences, ExampleOf::file},
    {"SP740", R"(duration: 60s
control_plane: { cores: 64, services: 10, instances: 2, reachable_services: 3, join: { from: 1s, to: 9s }, cost: { generation: 5ms }, readings: { precision: 0s, rows: [{ at: 5s, p50: 1s }], known_differences: [{ reason: rounded, rows: [{ at: 5s, p50: { documented: 1s, ours: 2s } }, { at: 5s, p50: { documented: 1s, ours: 2s } }] }] } }
)",
     readings_with_differences, ExampleOf::file},
    {"SP741", R"(duration: 60s
control_plane: { cores: 64, services: 10, instances: 2, reachable_services: 3, join: { from: 1s, to: 9s }, cost: { generation: 5ms }, other_work: 64 }
)",
     R"(duration: 60s
control_plane: { cores: 64, services: 10, instances: 2, reachable_services: 3, join: { from: 1s, to: 9s }, cost: { generation: 5ms }, other_work: 63 }
)",
     ExampleOf::file},
});

constexpr std::array more_of_scenarios = std::to_array<CodeExample>({
    {"SP103", R"(services: [{ name: cart, endpoints: [{ count: 2, zone: a }] }, { name: all }]
clusters:
  - name: all
    lb_policy: CLUSTER_PROVIDED
    cluster_type:
      name: envoy.clusters.aggregate
      typed_config: { '@type': type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [all] }
)",
     R"(services: [{ name: cart, endpoints: [{ count: 2, zone: a }] }, { name: all }]
clusters:
  - name: all
    lb_policy: CLUSTER_PROVIDED
    cluster_type:
      name: envoy.clusters.aggregate
      typed_config: { '@type': type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [cart] }
)",
     ExampleOf::scenario},
    {"SP140", R"(clients: [{ name: shop, zone: a, workload: { rate: 10rps, path: /b } }]
routes: [{ match: { prefix: /a }, route: { cluster: cart } }]
)",
     request_that_a_route_matches, ExampleOf::scenario},
    {"SP141", R"(clients: [{ name: shop, zone: a, workload: { rate: 10rps, path: cart } }]
routes: [{ match: { prefix: /a }, route: { cluster: cart } }]
)",
     request_that_a_route_matches, ExampleOf::scenario},
    {"SP170", R"(zones: [{ name: a, region: us }, { name: a, region: eu }]
links: []
services: [{ name: cart, endpoints: [{ count: 2, zone: a }] }]
clients: [{ name: shop, zone: us/a, workload: { service: cart, rate: 10rps } }]
)",
     R"(zones: [{ name: a, region: us }, { name: a, region: eu }]
links: []
services: [{ name: cart, endpoints: [{ count: 2, zone: eu/a }] }]
clients: [{ name: shop, zone: us/a, workload: { service: cart, rate: 10rps } }]
)",
     ExampleOf::scenario},
    {"SP207", R"(clients: [{ name: shop, zone: a, workload: { rate: 10rps } }]
routes: [{ match: { prefix: / }, route: { cluster: cart, retry_policy: { retry_on: 5xxx } } }]
)",
     R"(clients: [{ name: shop, zone: a, workload: { rate: 10rps } }]
routes: [{ match: { prefix: / }, route: { cluster: cart, retry_policy: { retry_on: 5xx } } }]
)",
     ExampleOf::scenario},
    {"SP218", R"(clients: [{ name: shop, zone: a, workload: { rate: 10rps } }]
routes: [{ match: { prefix: / }, route: { cluster: cart, timeout: 1s, max_stream_duration: { max_stream_duration: 2s } } }]
)",
     R"(clients: [{ name: shop, zone: a, workload: { rate: 10rps } }]
routes: [{ match: { prefix: / }, route: { cluster: cart, max_stream_duration: { max_stream_duration: 1s } } }]
)",
     ExampleOf::scenario},
    {"SP605", R"(resources: [{ type: Mesh, name: default, mtls: { enabledBackend: ca } }]
)",
     R"(resources: [{ type: Mesh, name: default, mtls: { enabledBackend: ca, backends: [{ name: ca, type: builtin }] } }]
)",
     ExampleOf::scenario},
    {"SP606",
     R"(resources: [{ type: Dataplane, name: x, mesh: one, labels: { kuma.io/mesh: two, kuma.io/zone: a }, networking: { address: 10.0.0.1 } }]
)",
     R"(resources: [{ type: Dataplane, name: x, mesh: default, labels: { kuma.io/mesh: default, kuma.io/zone: a }, networking: { address: 10.0.0.1 } }]
)",
     ExampleOf::scenario},
    {"SP608", R"(profile: { kuma: head }
resources: [{ type: Dataplane, name: x, mesh: default, labels: { kuma.io/zone: a }, networking: { address: 10.0.0.1, inbound: [{ port: 80, tags: { kuma.io/service: x } }] } }]
)",
     R"(profile: { kuma: head }
resources: [{ type: Dataplane, name: x, mesh: default, labels: { kuma.io/zone: a }, networking: { address: 10.0.0.1, inbound: [{ port: 80 }] } }]
)",
     ExampleOf::scenario},
    {"SP632",
     R"(resources: [{ type: Dataplane, name: x, mesh: default, networking: { address: 10.0.0.1, inbound: [{ port: 80, tags: { kuma.io/service: x } }] } }]
)",
     R"(resources: [{ type: Dataplane, name: x, mesh: default, networking: { address: 10.0.0.1, inbound: [{ port: 80, tags: { kuma.io/service: x, kuma.io/zone: a } }] } }]
)",
     ExampleOf::scenario},
    {"SP644", R"(resources:
  - { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: cart },
      spec: { host: cart, trafficPolicy: { loadBalancer: { simple: RANDOM } } } }
clusters: [{ name: cart, lb_policy: RANDOM }]
)",
     R"(resources:
  - { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: cart },
      spec: { host: cart, trafficPolicy: { loadBalancer: { simple: RANDOM } } } }
)",
     ExampleOf::scenario},
    {"SP714",
     R"(- { apiVersion: v1, kind: Namespace, metadata: { name: default, labels: { istio.io/dataplane-mode: ambient } } }
)",
     R"(- { apiVersion: v1, kind: Namespace, metadata: { name: default, labels: { istio-injection: enabled } } }
)",
     ExampleOf::istio},
    {"SP724",
     R"(- { apiVersion: install.istio.io/v1alpha1, kind: IstioOperator,
    spec: { values: { pilot: { env: { PILOT_ENABLE_PERSISTENT_SESSION_FILTER: "true" } } } } }
)",
     R"(- { apiVersion: install.istio.io/v1alpha1, kind: IstioOperator, spec: { meshConfig: { connectTimeout: 5s } } }
)",
     ExampleOf::istio},
    {"SP657", R"(resources:
  - { type: Mesh, name: default }
  - { apiVersion: v1, kind: Service, metadata: { name: web }, spec: { clusterIP: 10.0.0.1, ports: [{ name: http, port: 80 }] } }
)",
     R"(resources:
  - { type: Mesh, name: default }
)",
     ExampleOf::scenario},
    {"SP693", R"(resources: [-]
)",
     R"(resources: []
)",
     ExampleOf::scenario},
});

}  // namespace

std::span<const CodeExample> code_examples_of_worlds() noexcept {
  return of_worlds;
}

std::span<const CodeExample> more_code_examples_of_scenarios() noexcept {
  return more_of_scenarios;
}

}  // namespace spillway::scenario
