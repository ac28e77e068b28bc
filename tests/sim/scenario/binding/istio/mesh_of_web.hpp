// A mesh that documents of Istio are tried on.
#pragma once

#include <string_view>

namespace spillway::scenario::test {

// Two pods in r1/z1, one in r1/z2 and one in r2/z3, of the service `web`.
inline constexpr std::string_view mesh_of_web = R"(duration: 1s
mode: exact
resources:
  - { apiVersion: v1, kind: Node, metadata: { name: n1, labels: { topology.kubernetes.io/region: r1, topology.kubernetes.io/zone: z1 } } }
  - { apiVersion: v1, kind: Node, metadata: { name: n2, labels: { topology.kubernetes.io/region: r1, topology.kubernetes.io/zone: z2 } } }
  - { apiVersion: v1, kind: Node, metadata: { name: n3, labels: { topology.kubernetes.io/region: r2, topology.kubernetes.io/zone: z3 } } }
  - { apiVersion: v1, kind: Node, metadata: { name: n4, labels: { topology.kubernetes.io/region: r1, topology.kubernetes.io/zone: z1, topology.istio.io/subzone: a } } }
  - { apiVersion: v1, kind: Node, metadata: { name: n5 } }
  - { apiVersion: v1, kind: Pod, metadata: { name: web-1, labels: { app: web, version: v1 } }, spec: { nodeName: n1 }, status: { podIP: 10.1.1.1 } }
  - { apiVersion: v1, kind: Pod, metadata: { name: web-2, labels: { app: web, version: v2 } }, spec: { nodeName: n1 }, status: { podIP: 10.1.1.2 } }
  - { apiVersion: v1, kind: Pod, metadata: { name: web-3, labels: { app: web, version: v1 } }, spec: { nodeName: n2 }, status: { podIP: 10.1.1.3 } }
  - { apiVersion: v1, kind: Pod, metadata: { name: web-4, labels: { app: web, version: v2 } }, spec: { nodeName: n3 }, status: { podIP: 10.1.1.4 } }
  - { apiVersion: v1, kind: Service, metadata: { name: web }, spec: { clusterIP: 10.0.0.1, selector: { app: web }, ports: [{ name: http, port: 80 }] } }
  - apiVersion: discovery.k8s.io/v1
    kind: EndpointSlice
    metadata: { name: web-1, labels: { kubernetes.io/service-name: web } }
    ports: [{ name: http, port: 8080 }]
    endpoints:
      - { addresses: [10.1.1.1], conditions: { ready: true }, targetRef: { kind: Pod, name: web-1 } }
      - { addresses: [10.1.1.2], conditions: { ready: true }, targetRef: { kind: Pod, name: web-2 } }
      - { addresses: [10.1.1.3], conditions: { ready: true }, targetRef: { kind: Pod, name: web-3 } }
      - { addresses: [10.1.1.4], conditions: { ready: true }, targetRef: { kind: Pod, name: web-4 } }
)";

}  // namespace spillway::scenario::test
