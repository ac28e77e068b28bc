// The services of the mesh and their endpoints, as istiod's registries derive them from Kubernetes objects,
// ServiceEntries and WorkloadEntries.
//
//   Registry registry = make_registry(documents);
//   registry.services[0].hostname;          // "web.default.svc.cluster.local"
//   registry.services[0].endpoints[0].locality;   // "r1/z1/": two slashes where a node says it
//
// Source: docs/behaviour/istio.md 1.2, 2, 7; istiod's pilot/pkg/serviceregistry/kube/controller and .../serviceentry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/istio/names.hpp"
#include "models/istio/resources.hpp"

namespace spillway::istio {

enum class Protocol : std::uint8_t { unsupported, http, http2, grpc, grpc_web, tcp, udp };

[[nodiscard]] constexpr bool is_http(Protocol protocol) {
  return protocol == Protocol::http || protocol == Protocol::http2 || protocol == Protocol::grpc ||
         protocol == Protocol::grpc_web;
}
[[nodiscard]] constexpr bool is_http2(Protocol protocol) {
  return protocol == Protocol::http2 || protocol == Protocol::grpc || protocol == Protocol::grpc_web;
}

// Returns the protocol of `appProtocol`, else of the part of the port's name before its first hyphen. `unsupported` if
// the proxy has to detect it.
[[nodiscard]] Protocol protocol_of(const std::string& app_protocol, const std::string& port_name);

// The health of an endpoint. `unknown` is sent without a status.
enum class EndpointHealth : std::uint8_t { unknown, healthy, unhealthy, draining, terminating };

struct Endpoint {
  std::string address = {};
  std::uint32_t port = 0;
  std::string port_name = {};
  Labels labels = {};         // with the labels of its topology
  std::string locality = {};  // as a string: `r1/z1/` and `r1/z1` are two groups
  std::uint32_t weight = 1;
  EndpointHealth health = EndpointHealth::unknown;
  std::string network = {};
  std::string cluster = {};
  std::string node = {};
  bool mutual_tls = false;
  std::string source = {};  // the document that defines it, "Pod shop/web-1"
};

struct ServicePort {
  std::string name = {};
  std::uint32_t number = 0;
  Protocol protocol = Protocol::unsupported;
};

enum class Resolution : std::uint8_t { client_side, dns, dns_round_robin, passthrough, alias };
enum class TrafficDistribution : std::uint8_t { any, same_zone, same_node };

struct Service {
  std::string hostname = {};
  std::string name_space = {};
  std::string kind = {};  // "Service", "ServiceEntry", or "service" of a scenario's own
  std::string name = {};
  Labels labels = {};
  Labels selector = {};  // of workloads
  std::vector<ServicePort> ports = {};
  // The number of own ports, first in `ports`; the others come from younger documents of this host.
  std::size_t own_ports = 0;
  Resolution resolution = Resolution::client_side;
  std::vector<std::string> export_to = {};
  TrafficDistribution distribution = TrafficDistribution::any;
  bool node_local = false;
  std::string external_name = {};
  std::vector<Endpoint> endpoints = {};  // of all ports, clusters, and documents of this host and namespace

  [[nodiscard]] const ServicePort* port(std::uint32_t number) const;
  // True if DRAINING endpoints may be kept for sessions.
  [[nodiscard]] bool supports_draining() const;
};

struct Registry {
  std::vector<Service> services = {};
  std::vector<std::string> missing_pods = {};  // pods named by slices; their endpoints wait for them
  std::unordered_map<std::string, std::vector<std::size_t>> by_host = {};  // positions in services, in order

  // Returns every service of that host, in the order of the documents. O(1).
  [[nodiscard]] std::vector<const Service*> of_host(const std::string& hostname) const;
};

// Derives the registry from the documents. O(endpoints * log(pods) + selectors * workloads).
[[nodiscard]] Registry make_registry(const Documents& documents);

}  // namespace spillway::istio
