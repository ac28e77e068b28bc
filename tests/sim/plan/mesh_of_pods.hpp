// A mesh of Kubernetes documents: Deployments whose pods run on one node in each zone, behind one Service each.
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace spillway::support {

struct PodsOf {
  std::string name;
  std::vector<std::uint32_t> zones;  // number of pods in zone a, b, ...
};

inline std::string zone_named(std::size_t zone) {
  return std::string(1, static_cast<char>('a' + zone));
}

// The value of the key `resources`, with a DestinationRule that spreads requests over all zones.
inline std::string resources_of(const std::vector<PodsOf>& deployments) {
  std::string text;
  for (std::size_t zone = 0; zone < deployments.front().zones.size(); ++zone) {
    text += fmt::format(
        "  - {{ apiVersion: v1, kind: Node, metadata: {{ name: node-{0}, labels: {{ topology.kubernetes.io/region: r, "
        "topology.kubernetes.io/zone: {0} }} }} }}\n",
        zone_named(zone));
  }
  int address = 0;
  for (const PodsOf& of : deployments) {
    std::string endpoints;
    for (std::size_t zone = 0; zone < of.zones.size(); ++zone) {
      for (std::uint32_t pod = 0; pod < of.zones[zone]; ++pod) {
        const std::string ip = fmt::format("10.1.{}.{}", address / 200, address % 200 + 1);
        const std::string name = fmt::format("{}-7d9f-{}", of.name, address++);
        text += fmt::format(
            "  - {{ apiVersion: v1, kind: Pod, metadata: {{ name: {0}, namespace: shop, labels: {{ app: {1}, "
            "pod-template-hash: 7d9f }}, ownerReferences: [{{ kind: ReplicaSet, name: {1}-7d9f }}] }}, spec: {{ "
            "nodeName: "
            "node-{2} }}, status: {{ podIP: {3} }} }}\n",
            name, of.name, zone_named(zone), ip);
        endpoints +=
            fmt::format("{}{{ addresses: [{}], conditions: {{ ready: true }}, targetRef: {{ kind: Pod, name: {} }} }}",
                        endpoints.empty() ? "" : ", ", ip, name);
      }
    }
    text += fmt::format(
        "  - {{ apiVersion: v1, kind: Service, metadata: {{ name: {0}, namespace: shop }}, spec: {{ selector: {{ app: "
        "{0} "
        "}}, ports: [{{ name: http, port: 80 }}] }} }}\n"
        "  - {{ apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {{ name: {0}-1, namespace: shop, "
        "labels: "
        "{{ kubernetes.io/service-name: {0} }} }}, ports: [{{ name: http, port: 8080 }}], endpoints: [{1}] }}\n"
        "  - {{ apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: {{ name: {0}, namespace: shop }}, "
        "spec: {{ host: {0}, trafficPolicy: {{ loadBalancer: {{ simple: ROUND_ROBIN, localityLbSetting: {{ enabled: "
        "false "
        "}} }} }} }} }}\n",
        of.name, endpoints);
  }
  return text;
}

// Clients in each zone call each Deployment with this rate, and each pod serves 100 requests per second.
inline std::string mesh_of_pods(const std::vector<PodsOf>& deployments, double rate, const std::string& rest = "") {
  std::string text = "duration: 10s\nmode: exact\nresources:\n" + resources_of(deployments) + "serving:\n";
  std::string clients = "clients:\n";
  for (const PodsOf& of : deployments) {
    text += fmt::format("  - {{ service: {}.shop, capacity: 100rps }}\n", of.name);
    for (std::size_t zone = 0; zone < of.zones.size(); ++zone) {
      clients += fmt::format(
          "  - {{ name: to-{0}-{1}, zone: {1}, namespace: shop, workload: {{ service: {0}.shop, rate: {2}rps }} }}\n",
          of.name, zone_named(zone), rate);
    }
  }
  return text + clients + rest;
}

}  // namespace spillway::support
