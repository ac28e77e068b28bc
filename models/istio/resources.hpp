// The resources that istiod watches: Kubernetes objects of each cluster, Istio objects of the config cluster, and the
// mesh's configuration. Field names are those of the documents; fields that do not affect shares are absent.
//
// Source: docs/behaviour/istio.md 1, 2, 7, 9.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/istio/destination_rule.hpp"
#include "models/istio/names.hpp"
#include "models/istio/virtual_service.hpp"

namespace spillway::istio {

struct KubernetesService {
  struct Port {
    std::string name = {};
    std::uint32_t port = 0;
    std::string protocol = "TCP";
    std::string appProtocol = {};
    std::uint32_t targetPort = 0;     // 0 if it is a name
    std::string targetPortName = {};  // set if the target port is a name
  };
  Meta meta = {};
  std::string clusterIP = {};
  std::string type = {};
  std::string externalName = {};
  std::string internalTrafficPolicy = {};
  std::string trafficDistribution = {};
  Labels selector = {};
  std::vector<Port> ports = {};
};

struct EndpointSlice {
  struct Port {
    std::string name = {};
    std::uint32_t port = 0;
  };
  struct Endpoint {
    std::vector<std::string> addresses = {};
    std::optional<bool> ready = {};
    std::optional<bool> serving = {};
    std::optional<bool> terminating = {};
    std::string pod = {};  // targetRef of kind Pod; "" if none
    std::string pod_namespace = {};
  };
  Meta meta = {};
  std::vector<Port> ports = {};
  std::vector<Endpoint> endpoints = {};
};

struct Pod {
  Meta meta = {};
  std::string nodeName = {};
  std::string podIP = {};
};

struct Node {
  Meta meta = {};
};

struct Namespace {
  Meta meta = {};
};

struct KubernetesCluster {
  std::string name = default_cluster;
  std::vector<KubernetesService> services = {};
  std::vector<EndpointSlice> slices = {};
  std::vector<Pod> pods = {};
  std::vector<Node> nodes = {};
  std::vector<Namespace> namespaces = {};
};

// A WorkloadEntry, or an endpoint written in a ServiceEntry.
struct WorkloadEntry {
  Meta meta = {};
  std::string address = {};
  std::map<std::string, std::uint32_t> ports = {};
  Labels labels = {};
  std::string network = {};
  std::string locality = {};
  std::uint32_t weight = 0;  // 0 if not set, which means 1
  std::string serviceAccount = {};
};

enum class EntryResolution : std::uint8_t { none, static_addresses, dns, dns_round_robin };

struct ServiceEntry {
  struct Port {
    std::uint32_t number = 0;
    std::string name = {};
    std::string protocol = {};
    std::uint32_t targetPort = 0;
  };
  Meta meta = {};
  std::vector<std::string> hosts = {};
  std::vector<Port> ports = {};
  EntryResolution resolution = EntryResolution::none;
  std::vector<WorkloadEntry> endpoints = {};
  std::optional<Labels> workloadSelector = {};
  std::vector<std::string> exportTo = {};
};

struct Sidecar {
  struct Port {
    std::uint32_t number = 0;
    std::string protocol = {};
    std::string name = {};
    std::uint32_t targetPort = 0;
  };
  struct Listener {
    std::optional<Port> port = {};  // if not set, all ports that no other listener has
    std::string bind = {};
    std::vector<std::string> hosts = {};  // "namespace/host"
  };
  Meta meta = {};
  std::optional<Labels> workloadSelector = {};
  std::vector<Listener> egress = {};
  bool other = false;  // ingress, outboundTrafficPolicy or inboundConnectionPool: no effect on shares
};

struct ServiceSetting {
  std::vector<std::string> hosts = {};
  bool clusterLocal = false;
};

struct MeshConfig {
  std::string rootNamespace = "istio-system";
  Duration connectTimeout = std::chrono::seconds{10};
  Duration dnsRefreshRate = std::chrono::seconds{60};
  std::optional<LocalityLbSetting> localityLbSetting = LocalityLbSetting{.enabled = true};
  std::optional<ZoneAwareLbSetting> zoneAwareLbSetting = {};
  DefaultTrafficPolicy defaultTrafficPolicy = {};
  std::optional<HttpRetry> defaultHttpRetryPolicy = {};
  std::vector<ServiceSetting> serviceSettings = {};
  bool h2Upgrade = false;
  std::vector<std::string> defaultDestinationRuleExportTo = {};
};

struct Network {
  struct Gateway {
    std::string address = {};
    std::uint32_t port = 0;
    std::string cluster = {};  // "" for the whole network
  };
  std::string name = {};
  std::vector<std::string> registries = {};  // fromRegistry: names of clusters
  std::vector<Gateway> gateways = {};
};

// PILOT_SEND_UNHEALTHY_ENDPOINTS and, since 1.31, PILOT_AUTO_SEND_UNHEALTHY_ENDPOINTS; unset: istiod's default.
struct Environment {
  std::optional<bool> send_unhealthy, auto_send_unhealthy;
};

// The differences between releases and environments of istiod.
struct Switches {
  bool auto_send_unhealthy = true;  // 1.31; 1.30 has no such switch and behaves as if it were off
  bool send_unhealthy = false;      // PILOT_SEND_UNHEALTHY_ENDPOINTS
  bool mesh_default_policy = true;  // 1.31: meshConfig.defaultTrafficPolicy
  bool zone_aware = true;           // 1.31: zoneAwareLbSetting
  bool network_preferred = true;    // 1.31: endpoints of other networks also fail over by the remaining labels
  bool http_error_codes = true;     // 1.31: outlierDetectionHttpErrorCodes
  [[nodiscard]] static Switches release_1_30() noexcept;
  [[nodiscard]] static Switches of(bool is_1_30, const Environment& environment) noexcept;
};

// All resources of istiod. The first cluster is the config cluster.
struct Documents {
  std::vector<KubernetesCluster> clusters = {KubernetesCluster{}};
  std::vector<ServiceEntry> service_entries = {};
  std::vector<WorkloadEntry> workload_entries = {};
  std::vector<DestinationRule> destination_rules = {};
  std::vector<VirtualService> virtual_services = {};
  std::vector<Sidecar> sidecars = {};
  MeshConfig mesh = {};
  std::vector<Network> networks = {};
  Environment environment = {};
  Switches switches = {};
};

}  // namespace spillway::istio
