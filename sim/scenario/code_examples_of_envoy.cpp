// Examples that are whole documents of Envoy.
#include <array>

#include "sim/scenario/code_examples_of_meshes.hpp"

namespace spillway::scenario {
namespace {

// What several codes are put right by, or come about from.
constexpr const char* static_cluster = R"(name: cart
type: STATIC
load_assignment: { cluster_name: cart, endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }] }
)";
constexpr const char* bootstrap_of_one_cluster = R"(static_resources:
  clusters:
    - { name: cart, type: STATIC }
)";
constexpr const char* eds_cluster_with_endpoints = R"(static_resources:
  clusters: [{ name: cart, type: EDS, eds_cluster_config: {} }]
---
cluster_name: cart
endpoints:
  - { lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }
)";

constexpr std::array of_envoy = std::to_array<CodeExample>({
    {"SP134", R"(kind: Deployment
metadata: { name: cart }
)",
     static_cluster, ExampleOf::file},
    {"SP135", R"(static_resources:
  clusters:
    - { name: cart, type: STATIC }
    - { name: pay, type: STATIC }
)",
     bootstrap_of_one_cluster, ExampleOf::file},
    {"SP136", R"(name: cart
type: EDS
eds_cluster_config: {}
)",
     static_cluster, ExampleOf::file},
    {"SP137", R"(cluster_manager: { local_cluster_name: me }
static_resources:
  clusters:
    - { name: cart, type: STATIC }
)",
     R"(cluster_manager: { local_cluster_name: me }
static_resources:
  clusters:
    - { name: cart, type: STATIC }
    - { name: me, type: STATIC }
)",
     ExampleOf::file},
    {"SP148", R"(name: cart
type: STATIC
transport_socket: { name: tls, typed_config: { '@type': type.googleapis.com/envoy.tls.v3.Context } }
)",
     static_cluster, ExampleOf::file},
    {"SP149", R"(apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: { name: cart }
spec: { host: cart }
)",
     static_cluster, ExampleOf::file},
    {"SP204", R"(name: cart
type: STRICT_DNS
load_assignment: { cluster_name: cart, endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: cart.internal, port_value: 80 } } } }] }] }
)",
     static_cluster, ExampleOf::file},
    {"SP205", R"(static_resources:
  clusters:
    - name: cart
      lb_policy: CLUSTER_PROVIDED
      cluster_type: { name: envoy.clusters.aggregate, typed_config: { '@type': type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [near, far] } }
    - { name: near, type: STATIC, load_assignment: { cluster_name: near, endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }] } }
)",
     R"(static_resources:
  clusters:
    - name: cart
      lb_policy: CLUSTER_PROVIDED
      cluster_type: { name: envoy.clusters.aggregate, typed_config: { '@type': type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [near] } }
    - { name: near, type: STATIC, load_assignment: { cluster_name: near, endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }] } }
)",
     ExampleOf::file},
    {"SP208", R"(name: cart
type: STATIC
load_assignment:
  cluster_name: cart
  endpoints:
    - { load_balancing_weight: 1, locality: { zone: a }, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }
    - { load_balancing_weight: 2, locality: { zone: b }, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.2, port_value: 80 } } } }] }

)",
     R"(name: cart
type: STATIC
common_lb_config: { locality_weighted_lb_config: {} }
load_assignment:
  cluster_name: cart
  endpoints:
    - { load_balancing_weight: 1, locality: { zone: a }, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }
    - { load_balancing_weight: 2, locality: { zone: b }, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.2, port_value: 80 } } } }] }

)",
     ExampleOf::file},
    {"SP209", R"(name: cart
type: STATIC
common_lb_config: { locality_weighted_lb_config: {} }
load_assignment:
  cluster_name: cart
  endpoints:
    - { locality: { zone: a }, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }

)",
     R"(name: cart
type: STATIC
common_lb_config: { locality_weighted_lb_config: {} }
load_assignment:
  cluster_name: cart
  endpoints:
    - { load_balancing_weight: 3, locality: { zone: a }, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }

)",
     ExampleOf::file},
    {"SP210", R"(name: cart
type: STATIC
load_assignment:
  cluster_name: cart
  endpoints:
    - { lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }
    - { priority: 2, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.2, port_value: 80 } } } }] }

)",
     R"(name: cart
type: STATIC
load_assignment:
  cluster_name: cart
  endpoints:
    - { lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }
    - { priority: 1, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.2, port_value: 80 } } } }] }

)",
     ExampleOf::file},
    {"SP211", R"(static_resources:
  clusters:
    - { name: cart, type: EDS, eds_cluster_config: {}, load_assignment: { cluster_name: cart, endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }] } }
---
cluster_name: cart
endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }]
)",
     eds_cluster_with_endpoints, ExampleOf::file},
    {"SP213", R"(static_resources:
  clusters:
    - { name: cart, type: STATIC }
layered_runtime: { layers: [{ name: fixed, static_layer: { upstream.healthy_panic_threshold: -1 } }] }
)",
     R"(static_resources:
  clusters:
    - { name: cart, type: STATIC }
layered_runtime: { layers: [{ name: fixed, static_layer: { upstream.healthy_panic_threshold: 40 } }] }
)",
     ExampleOf::file},
    {"SP214", R"(static_resources:
  clusters: [{ name: cart, type: EDS, eds_cluster_config: {} }]
---
cluster_name: cart
endpoints:
  - { lb_endpoints: [{ endpoint: { address: { socket_address: { address: cart.internal, port_value: 80 } } } }] }
)",
     eds_cluster_with_endpoints, ExampleOf::file},
    {"SP215", R"(static_resources:
  clusters: [{ name: cart, type: EDS, eds_cluster_config: {} }]
---
cluster_name: cart
policy: { endpoint_stale_after: 60s }
endpoints:
  - { lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }
)",
     eds_cluster_with_endpoints, ExampleOf::file},
    {"SP216", R"(name: cart
type: STATIC
load_assignment: { cluster_name: cart, policy: { endpoint_stale_after: 60s }, endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }] }
)",
     static_cluster, ExampleOf::file},
    {"SP217", R"(name: cart
type: STATIC
lb_policy: RING_HASH
load_assignment:
  cluster_name: cart
  endpoints:
    - { lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } }, metadata: { filter_metadata: { envoy.lb: { hash_key: x } } } }, { endpoint: { address: { socket_address: { address: 10.0.0.2, port_value: 80 } } }, metadata: { filter_metadata: { envoy.lb: { hash_key: x } } } }] }

)",
     R"(name: cart
type: STATIC
lb_policy: RING_HASH
load_assignment:
  cluster_name: cart
  endpoints:
    - { lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } }, metadata: { filter_metadata: { envoy.lb: { hash_key: x } } } }, { endpoint: { address: { socket_address: { address: 10.0.0.2, port_value: 80 } } }, metadata: { filter_metadata: { envoy.lb: { hash_key: y } } } }] }

)",
     ExampleOf::file},
    {"SP225", R"(name: cart
type: STATIC
load_assignment: { cluster_name: cart, named_endpoints: { one: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } } }
)",
     static_cluster, ExampleOf::file},
    {"SP226", R"(name: cart
type: ORIGINAL_DST
lb_policy: CLUSTER_PROVIDED
)",
     static_cluster, ExampleOf::file},
    {"SP230", R"(name: cart
type: STATIC
typed_extension_protocol_options: { envoy.upstreams.http.http_protocol_options: { '@type': type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions, explicit_http_config: { http_protocol_options: {} } } }
load_assignment: { cluster_name: cart, endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }] }
)",
     R"(name: cart
type: STATIC
typed_extension_protocol_options: { envoy.extensions.upstreams.http.v3.HttpProtocolOptions: { '@type': type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions, explicit_http_config: { http_protocol_options: {} } } }
load_assignment: { cluster_name: cart, endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }] }
)",
     ExampleOf::file},
    {"SP233", R"(dynamic_resources: { cds_config: { ads: {} } }
static_resources:
  clusters:
    - { name: cart, type: STATIC }
)",
     bootstrap_of_one_cluster, ExampleOf::file},
    {"SP235", R"(name: cart
type: STATIC
hosts: [{ socket_address: { address: 10.0.0.1, port_value: 80 } }]
)",
     static_cluster, ExampleOf::file},
    {"SP238", R"(static_resources:
  clusters:
    - { name: cart, type: STATIC }
layered_runtime: { layers: [{ name: fixed, static_layer: { upstream.use_retry: 0 } }] }
)",
     R"(static_resources:
  clusters:
    - { name: cart, type: STATIC }
layered_runtime: { layers: [{ name: fixed, static_layer: { circuit_breakers.cart.default.max_retries: 0 } }] }
)",
     ExampleOf::file},
});

}  // namespace

std::span<const CodeExample> code_examples_of_envoy() noexcept {
  return of_envoy;
}

}  // namespace spillway::scenario
