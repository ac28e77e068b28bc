// Examples of Istio's and Kubernetes' documents: what stands below `resources` of a mesh with the service `web`.
#include <array>

#include "sim/scenario/code_examples_of_meshes.hpp"

namespace spillway::scenario {
namespace {

// What several codes are put right by, or come about from.
constexpr const char* retries =
    R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { connectionPool: { http: { maxRetries: 3 } } } } }
)";
constexpr const char* locality_weights_off =
    R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web.default.svc.cluster.local, trafficPolicy: { loadBalancer: { localityLbSetting: { enabled: false } }, outlierDetection: { maxEjectionPercent: 100 } } } }
)";
constexpr const char* failover_with_detection =
    R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { loadBalancer: { localityLbSetting: { failover: [{ from: r1, to: r2 }] } }, outlierDetection: { maxEjectionPercent: 100 } } } }
)";
constexpr const char* outlier_detection =
    R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { outlierDetection: { maxEjectionPercent: 100 } } } }
)";
constexpr const char* outlier_detection_and_client =
    R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { outlierDetection: { maxEjectionPercent: 100 } } } }
clients:
  - { name: c, node: n1, workload: { service: web.default.svc.cluster.local, rate: 10rps } }
)";
constexpr const char* distribution =
    R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { loadBalancer: { localityLbSetting: { distribute: [{ from: "*", to: { r1/*: 80, r2/*: 20 } }] } } } } }
)";

constexpr std::array of_istio = std::to_array<CodeExample>({
    {"SP650", R"(- { apiVersion: v1, kind: Secret, metadata: { name: s } }
)",
     retries, ExampleOf::istio},
    {"SP651", R"(- { apiVersion: networking.istio.io/v1alpha3, kind: EnvoyFilter, metadata: { name: f },
    spec: { configPatches: [{ applyTo: CLUSTER, match: { context: SIDECAR_OUTBOUND } }] } }
)",
     retries, ExampleOf::istio},
    {"SP652", R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { connectionPool: {} } } }
)",
     retries, ExampleOf::istio},
    {"SP653", R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { outlierDetection: { consecutiveErrors: 5, maxEjectionPercent: 100 } } } }
)",
     R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { outlierDetection: { consecutive5xxErrors: 5, maxEjectionPercent: 100 } } } }
)",
     ExampleOf::istio},
    {"SP654", R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: api.default, trafficPolicy: { loadBalancer: { localityLbSetting: { enabled: false } }, outlierDetection: { maxEjectionPercent: 100 } } } }
)",
     locality_weights_off, ExampleOf::istio},
    {"SP655",
     R"(- { apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: { name: web-2, labels: { kubernetes.io/service-name: web } },
    ports: [{ name: http, port: 8080 }], endpoints: [{ addresses: [10.1.1.9], conditions: { ready: true }, targetRef: { kind: Pod, name: web-9 } }] }
)",
     R"(- { apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: { name: web-2, labels: { kubernetes.io/service-name: web } },
    ports: [{ name: http, port: 8080 }], endpoints: [{ addresses: [10.1.1.4], conditions: { ready: true }, targetRef: { kind: Pod, name: web-4 } }] }
)",
     ExampleOf::istio},
    {"SP656",
     R"(- { apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: { name: web, namespace: default },
    spec: { hosts: [web.default.svc.cluster.local], http: [{ route: [{ destination: { host: api } }] }] } }
)",
     R"(- { apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: { name: web, namespace: default },
    spec: { hosts: [web.default.svc.cluster.local], http: [{ route: [{ destination: { host: web } }] }] } }
)",
     ExampleOf::istio},
    {"SP661", R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { loadBalancer: { localityLbSetting: { failover: [{ from: r1, to: r2 }] } } } } }
)",
     failover_with_detection, ExampleOf::istio},
    {"SP662", outlier_detection,
     R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { loadBalancer: { localityLbSetting: { enabled: false } }, outlierDetection: { maxEjectionPercent: 100 } } } }
)",
     ExampleOf::istio},
    {"SP663", R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { outlierDetection: { maxEjectionPercent: 100 }, portLevelSettings: [{ port: { number: 80 }, loadBalancer: { simple: RANDOM } }] } } }
)",
     R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { outlierDetection: { maxEjectionPercent: 100 }, portLevelSettings: [{ port: { number: 80 }, loadBalancer: { simple: RANDOM }, outlierDetection: { maxEjectionPercent: 100 } }] } } }
)",
     ExampleOf::istio},
    {"SP664", R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { outlierDetection: { maxEjectionPercent: 100 } } } }
clients:
  - { name: c, node: n5, workload: { service: web.default.svc.cluster.local, rate: 10rps } }
)",
     outlier_detection_and_client, ExampleOf::istio},
    {"SP665", R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { outlierDetection: { maxEjectionPercent: 100 } } } }
clients:
  - { name: c, node: n4, workload: { service: web.default.svc.cluster.local, rate: 10rps } }
)",
     outlier_detection_and_client, ExampleOf::istio},
    {"SP666", R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { loadBalancer: { localityLbSetting: { distribute: [{ from: "*", to: { r1/*: 50, r9/*: 50 } }] } } } } }
)",
     R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { loadBalancer: { localityLbSetting: { distribute: [{ from: "*", to: { r1/*: 50, r2/*: 50 } }] } } } } }
)",
     ExampleOf::istio},
    {"SP667", R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { loadBalancer: { localityLbSetting: { distribute: [{ from: "*", to: { r1/z1/*: 80, r2/*: 20 } }] } } } } }
)",
     distribution, ExampleOf::istio},
    {"SP668", R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { loadBalancer: { localityLbSetting: { distribute: [{ from: r2/*, to: { r1/*: 80, r2/*: 20 } }] } } } } }
)",
     R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { loadBalancer: { localityLbSetting: { distribute: [{ from: r1/*, to: { r1/*: 80, r2/*: 20 } }] } } } } }
)",
     ExampleOf::istio},
    {"SP669", distribution,
     R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { loadBalancer: { localityLbSetting: { distribute: [{ from: "*", to: { r1/z1/*: 40, r1/z2/*: 40, r2/*: 20 } }] } } } } }
)",
     ExampleOf::istio},
    {"SP670", R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { loadBalancer: { localityLbSetting: { distribute: [{ from: "*", to: { r1/z1/*: 100 } }] } }, outlierDetection: { maxEjectionPercent: 100 } } } }
)",
     failover_with_detection, ExampleOf::istio},
    {"SP671", R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { outlierDetection: { maxEjectionPercent: 100 } } } }
- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: second },
    spec: { host: web, trafficPolicy: { loadBalancer: { consistentHash: { httpHeaderName: x } } } } }
)",
     R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { outlierDetection: { maxEjectionPercent: 100 }, loadBalancer: { consistentHash: { httpHeaderName: x } } } } }
)",
     ExampleOf::istio},
    {"SP672", R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { outlierDetection: {} } } }
)",
     outlier_detection, ExampleOf::istio},
    {"SP673", R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { outlierDetection: { minHealthPercent: 10, maxEjectionPercent: 100 } } } }
)",
     outlier_detection, ExampleOf::istio},
    {"SP674", R"(- { apiVersion: networking.istio.io/v1, kind: ServiceEntry, metadata: { name: dns },
    spec: { hosts: [dns.example.com], resolution: DNS, ports: [{ number: 80, name: http, protocol: HTTP }],
      endpoints: [{ address: a.example.com, locality: r1/z1 }, { address: b.example.com, locality: r1/z2 }] } }
- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: dns.example.com, trafficPolicy: { outlierDetection: { maxEjectionPercent: 100 }, loadBalancer: { localityLbSetting: { failoverPriority: [topology.istio.io/subzone] } } } } }
)",
     R"(- { apiVersion: networking.istio.io/v1, kind: ServiceEntry, metadata: { name: dns },
    spec: { hosts: [dns.example.com], resolution: DNS, ports: [{ number: 80, name: http, protocol: HTTP }],
      endpoints: [{ address: a.example.com, locality: r1/z1 }, { address: b.example.com, locality: r1/z1 }] } }
- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: dns.example.com, trafficPolicy: { outlierDetection: { maxEjectionPercent: 100 }, loadBalancer: { localityLbSetting: { failoverPriority: [topology.istio.io/subzone] } } } } }
)",
     ExampleOf::istio},
    {"SP675",
     R"(- { apiVersion: v1, kind: Service, metadata: { name: api }, spec: { clusterIP: 10.0.0.2, trafficDistribution: PreferClose, ports: [{ name: http, port: 80 }] } }
- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: api, trafficPolicy: { loadBalancer: { localityLbSetting: { enabled: true } } } } }
)",
     R"(- { apiVersion: v1, kind: Service, metadata: { name: api }, spec: { clusterIP: 10.0.0.2, trafficDistribution: PreferClose, ports: [{ name: http, port: 80 }] } }
- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: api, trafficPolicy: { loadBalancer: { simple: RANDOM } } } }
)",
     ExampleOf::istio},
    {"SP676", R"(- { apiVersion: install.istio.io/v1alpha1, kind: IstioOperator,
    spec: { meshConfig: { defaultTrafficPolicy: { outlierDetection: { maxEjectionPercent: 100 } } } } }
)",
     outlier_detection, ExampleOf::istio},
    {"SP677",
     R"(- { apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: { name: web, namespace: default },
    spec: { hosts: [web.default.svc.cluster.local], http: [{ route: [{ destination: { host: web } }], retries: {} }] } }
)",
     R"(- { apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: { name: web, namespace: default },
    spec: { hosts: [web.default.svc.cluster.local], http: [{ route: [{ destination: { host: web } }], retries: { attempts: 2 } }] } }
)",
     ExampleOf::istio},
    {"SP678", R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { loadBalancer: { consistentHash: { httpCookie: { name: c } } } } } }
)",
     R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { loadBalancer: { consistentHash: { httpCookie: { name: c, ttl: 0s } } } } } }
)",
     ExampleOf::istio},
    {"SP679", R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { loadBalancer: { consistentHash: { httpHeaderName: x } } } } }
)",
     R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { loadBalancer: { consistentHash: { httpHeaderName: x } } } } }
- { apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: { name: web, namespace: default },
    spec: { hosts: [web.default.svc.cluster.local], http: [{ route: [{ destination: { host: web } }] }] } }
)",
     ExampleOf::istio},
    {"SP680",
     R"(- { apiVersion: v1, kind: Service, metadata: { name: db }, spec: { clusterIP: None, ports: [{ name: http, port: 80 }] } }
- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: db, trafficPolicy: { loadBalancer: { simple: RANDOM } } } }
)",
     R"(- { apiVersion: v1, kind: Service, metadata: { name: db }, spec: { clusterIP: None, ports: [{ name: http, port: 80 }] } }
- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: db, trafficPolicy: { connectionPool: { http: { maxRetries: 3 } } } } }
)",
     ExampleOf::istio},
    {"SP681", R"(- { apiVersion: networking.istio.io/v1, kind: WorkloadEntry, metadata: { name: vm },
    spec: { address: 10.2.1.1, labels: { app: web }, locality: r1/z1/, weight: 5 } }
)",
     R"(- { apiVersion: networking.istio.io/v1, kind: WorkloadEntry, metadata: { name: vm },
    spec: { address: 10.2.1.1, labels: { app: web }, locality: r1/z1/, weight: 1 } }
)",
     ExampleOf::istio},
    {"SP682", R"(- { apiVersion: networking.istio.io/v1, kind: WorkloadEntry, metadata: { name: vm },
    spec: { address: 10.2.1.1, labels: { app: web }, locality: r1/z1 } }
)",
     R"(- { apiVersion: networking.istio.io/v1, kind: WorkloadEntry, metadata: { name: vm },
    spec: { address: 10.2.1.1, labels: { app: web }, locality: r1/z1/ } }
)",
     ExampleOf::istio},
    {"SP683", R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { connectionPool: { http: { maxRetries: 0 } } } } }
)",
     retries, ExampleOf::istio},
    {"SP684",
     R"(- { apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: { name: web-2, labels: { kubernetes.io/service-name: web } },
    ports: [{ name: http, port: 8080 }], endpoints: [{ addresses: [10.1.1.9], conditions: { ready: false } }] }
)",
     R"(- { apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: { name: web-2, labels: { kubernetes.io/service-name: web } },
    ports: [{ name: http, port: 8080 }], endpoints: [{ addresses: [10.1.1.9], conditions: { ready: false, terminating: false } }] }
)",
     ExampleOf::istio},
    {"SP685", R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { loadBalancer: { simple: RANDOM, warmup: { duration: 30s } } } } }
)",
     R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { loadBalancer: { simple: ROUND_ROBIN, warmup: { duration: 30s } } } } }
)",
     ExampleOf::istio},
    {"SP686", R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web.default, trafficPolicy: { loadBalancer: { localityLbSetting: { enabled: false } }, outlierDetection: { maxEjectionPercent: 100 } } } }
)",
     locality_weights_off, ExampleOf::istio},
    {"SP687",
     R"(- { apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: { name: web, namespace: front },
    spec: { hosts: [web.default.svc.cluster.local], http: [{ match: [{ uri: { exact: /never } }], route: [{ destination: { host: web } }] }, { route: [{ destination: { host: web.default.svc.cluster.local } }] }] } }
)",
     R"(- { apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: { name: web, namespace: front },
    spec: { hosts: [web.default.svc.cluster.local], http: [{ route: [{ destination: { host: web.default.svc.cluster.local } }] }] } }
)",
     ExampleOf::istio},
    {"SP688", R"(- { apiVersion: install.istio.io/v1alpha1, kind: IstioOperator,
    spec: { values: { global: { meshNetworks: { far: { gateways: [{ address: 9.9.9.9, port: 15443 }] } } } } } }
- { apiVersion: v1, kind: Pod, metadata: { name: far-0, labels: { app: web, topology.istio.io/network: far, security.istio.io/tlsMode: istio } },
    spec: { nodeName: n1 }, status: { podIP: 10.3.1.1 } }
- apiVersion: discovery.k8s.io/v1
  kind: EndpointSlice
  metadata: { name: web-2, labels: { kubernetes.io/service-name: web } }
  ports: [{ name: http, port: 8080 }]
  endpoints:
    - { addresses: [10.3.1.1], conditions: { ready: true }, targetRef: { kind: Pod, name: far-0 } }
clients:
  - { name: c, node: n1, tags: { topology.istio.io/network: near }, workload: { service: web.default.svc.cluster.local, rate: 10rps } }
)",
     R"(- { apiVersion: install.istio.io/v1alpha1, kind: IstioOperator,
    spec: { values: { global: { meshNetworks: { far: { gateways: [{ address: 9.9.9.9, port: 15443 }] } } } } } }
- { apiVersion: v1, kind: Pod, metadata: { name: far-0, labels: { app: web, topology.istio.io/network: far, security.istio.io/tlsMode: istio } },
    spec: { nodeName: n1 }, status: { podIP: 10.3.1.1 } }
- apiVersion: discovery.k8s.io/v1
  kind: EndpointSlice
  metadata: { name: web-2, labels: { kubernetes.io/service-name: web } }
  ports: [{ name: http, port: 8080 }]
  endpoints:
    - { addresses: [10.3.1.1], conditions: { ready: true }, targetRef: { kind: Pod, name: far-0 } }
- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { outlierDetection: { maxEjectionPercent: 100 }, loadBalancer: { localityLbSetting: { failoverPriority: [topology.istio.io/network] } } } } }
clients:
  - { name: c, node: n1, tags: { topology.istio.io/network: near }, workload: { service: web.default.svc.cluster.local, rate: 10rps } }
)",
     ExampleOf::istio},
    {"SP689", R"(- { apiVersion: install.istio.io/v1alpha1, kind: IstioOperator,
    spec: { values: { global: { meshNetworks: { far: { gateways: [{ address: 9.9.9.9, port: 15443 }] } } } } } }
- { apiVersion: v1, kind: Pod, metadata: { name: far-0, labels: { app: web, topology.istio.io/network: far, security.istio.io/tlsMode: istio } },
    spec: { nodeName: n1 }, status: { podIP: 10.3.1.1 } }
- { apiVersion: v1, kind: Pod, metadata: { name: far-1, labels: { app: web, topology.istio.io/network: far, security.istio.io/tlsMode: istio } },
    spec: { nodeName: n2 }, status: { podIP: 10.3.1.2 } }
- apiVersion: discovery.k8s.io/v1
  kind: EndpointSlice
  metadata: { name: web-2, labels: { kubernetes.io/service-name: web } }
  ports: [{ name: http, port: 8080 }]
  endpoints:
    - { addresses: [10.3.1.1], conditions: { ready: true }, targetRef: { kind: Pod, name: far-0 } }
    - { addresses: [10.3.1.2], conditions: { ready: true }, targetRef: { kind: Pod, name: far-1 } }
clients:
  - { name: c, node: n1, tags: { topology.istio.io/network: near }, workload: { service: web.default.svc.cluster.local, rate: 10rps } }
)",
     R"(- { apiVersion: install.istio.io/v1alpha1, kind: IstioOperator,
    spec: { values: { global: { meshNetworks: { far: { gateways: [{ address: 9.9.9.9, port: 15443 }] } } } } } }
- { apiVersion: v1, kind: Pod, metadata: { name: far-0, labels: { app: web, topology.istio.io/network: far, security.istio.io/tlsMode: istio } },
    spec: { nodeName: n1 }, status: { podIP: 10.3.1.1 } }
- { apiVersion: v1, kind: Pod, metadata: { name: far-1, labels: { app: web, topology.istio.io/network: far, security.istio.io/tlsMode: istio } },
    spec: { nodeName: n1 }, status: { podIP: 10.3.1.2 } }
- apiVersion: discovery.k8s.io/v1
  kind: EndpointSlice
  metadata: { name: web-2, labels: { kubernetes.io/service-name: web } }
  ports: [{ name: http, port: 8080 }]
  endpoints:
    - { addresses: [10.3.1.1], conditions: { ready: true }, targetRef: { kind: Pod, name: far-0 } }
    - { addresses: [10.3.1.2], conditions: { ready: true }, targetRef: { kind: Pod, name: far-1 } }
clients:
  - { name: c, node: n1, tags: { topology.istio.io/network: near }, workload: { service: web.default.svc.cluster.local, rate: 10rps } }
)",
     ExampleOf::istio},
    {"SP690", R"(clients:
  - { name: c, node: n1, tags: { istio-locality: r1.z1 }, workload: { service: web.default.svc.cluster.local, rate: 10rps } }
)",
     R"(clients:
  - { name: c, node: n1, tags: { istio-locality: r1/z1 }, workload: { service: web.default.svc.cluster.local, rate: 10rps } }
)",
     ExampleOf::istio},
    {"SP691", R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { outlierDetection: { maxEjectionPercent: 100 }, loadBalancer: { localityLbSetting: { failoverPriority: [topology.kubernetes.io/region] } } } } }
)",
     R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, trafficPolicy: { outlierDetection: { maxEjectionPercent: 100 }, loadBalancer: { localityLbSetting: { failoverPriority: [topology.kubernetes.io/region, topology.kubernetes.io/zone] } } } } }
)",
     ExampleOf::istio},
    {"SP692", R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, subsets: [{ name: v9, labels: { version: v9 } }] } }
)",
     R"(- { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web },
    spec: { host: web, subsets: [{ name: v1, labels: { version: v1 } }] } }
)",
     ExampleOf::istio},
    {"SP694", R"(- { apiVersion: install.istio.io/v1alpha1, kind: IstioOperator, metadata: { name: mesh },
    spec: { values: { global: { meshNetworks: { far: { gateways: [{ address: 9.9.9.9, port: 15443 }] } } } } } }
- { apiVersion: v1, kind: Pod, metadata: { name: far-0, labels: { app: web, topology.istio.io/network: far, security.istio.io/tlsMode: istio } },
    spec: { nodeName: n2 }, status: { podIP: 10.3.1.1 } }
- apiVersion: discovery.k8s.io/v1
  kind: EndpointSlice
  metadata: { name: web-2, labels: { kubernetes.io/service-name: web } }
  ports: [{ name: http, port: 8080 }]
  endpoints:
    - { addresses: [10.3.1.1], conditions: { ready: true }, targetRef: { kind: Pod, name: far-0 } }
clients:
  - { name: c, node: n1, tags: { topology.istio.io/network: near }, workload: { service: web.default.svc.cluster.local, rate: 10rps } }
)",
     R"(- { apiVersion: install.istio.io/v1alpha1, kind: IstioOperator, metadata: { name: mesh },
    spec: { values: { global: { meshNetworks: { far: { gateways: [{ address: 9.9.9.9, port: 15443 }] } } } } } }
- { apiVersion: v1, kind: Pod, metadata: { name: far-0, labels: { app: web, topology.istio.io/network: far, security.istio.io/tlsMode: istio } },
    spec: { nodeName: n2 }, status: { podIP: 10.3.1.1 } }
- apiVersion: discovery.k8s.io/v1
  kind: EndpointSlice
  metadata: { name: web-2, labels: { kubernetes.io/service-name: web } }
  ports: [{ name: http, port: 8080 }]
  endpoints:
    - { addresses: [10.3.1.1], conditions: { ready: true }, targetRef: { kind: Pod, name: far-0 } }
clients:
  - { name: c, node: n2, tags: { topology.istio.io/network: far }, workload: { service: web.default.svc.cluster.local, rate: 10rps } }
)",
     ExampleOf::istio},
    {"SP695",
     R"(- { apiVersion: v1, kind: Service, metadata: { name: api }, spec: { clusterIP: 10.0.0.2, ports: [{ name: grpc, port: 80 }] } }
- apiVersion: discovery.k8s.io/v1
  kind: EndpointSlice
  metadata: { name: api-1, labels: { kubernetes.io/service-name: api } }
  ports: [{ name: http, port: 8080 }]
  endpoints: [{ addresses: [10.1.1.1], conditions: { ready: true }, targetRef: { kind: Pod, name: web-1 } }]
clients:
  - { name: c, node: n1, workload: { service: api.default.svc.cluster.local, rate: 10rps } }
)",
     R"(- { apiVersion: v1, kind: Service, metadata: { name: api }, spec: { clusterIP: 10.0.0.2, ports: [{ name: http, port: 80 }] } }
- apiVersion: discovery.k8s.io/v1
  kind: EndpointSlice
  metadata: { name: api-1, labels: { kubernetes.io/service-name: api } }
  ports: [{ name: http, port: 8080 }]
  endpoints: [{ addresses: [10.1.1.1], conditions: { ready: true }, targetRef: { kind: Pod, name: web-1 } }]
clients:
  - { name: c, node: n1, workload: { service: api.default.svc.cluster.local, rate: 10rps } }
)",
     ExampleOf::istio},
});

}  // namespace

std::span<const CodeExample> code_examples_of_istio() noexcept {
  return of_istio;
}

}  // namespace spillway::scenario
