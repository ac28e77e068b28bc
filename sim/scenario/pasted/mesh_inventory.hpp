// The contents of pasted documents of Kubernetes and Istio that determine what has to be assumed.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/documents/node.hpp"
#include "sim/scenario/pasted/assumed_zones.hpp"

namespace spillway::scenario::pasted {

struct PastedDocuments;  // pasted_documents.hpp

using Labels = std::map<std::string, std::string>;

struct PastedPort {
  std::string name = {};
  std::uint64_t number = 80;
  std::uint64_t target = 80;
};

struct PastedService {
  std::string name = {};
  std::string name_space = {};
  std::string host = {};
  std::vector<PastedPort> ports = {};
  Labels selector = {};
  bool callable = true;  // false if headless or ExternalName
  bool is_headless = false;
  bool has_endpoints = false;
  bool is_entry = false;  // a ServiceEntry
  bool assumed = false;
  // Least number of endpoints, in the cluster and in the zone, for gateways to prefer their zone; 0 if they do not.
  std::uint64_t zone_preference = 0;
};

struct PastedWorkload {
  std::string kind = {};
  std::string name = {};
  std::string name_space = {};
  Labels labels = {};
  std::size_t replicas = 1;
  bool replicas_said = true;
  std::string zone = {};  // of its node selector or required affinity; empty if these name none, or several
};

struct PastedPod {
  std::string name = {};
  std::string name_space = {};
  Labels labels = {};
  std::string node = {};
  std::string address = {};
};

struct Autoscaler {
  std::string target = {};  // name of the workload
  std::string name_space = {};
  std::optional<std::size_t> least = {};
  std::optional<double> utilization = {};  // target utilization [%]
};

struct PastedSlice {
  std::string service = {};
  std::string name_space = {};
  Json document = {};
};

struct MeshInventory {
  std::vector<PastedService> services = {};
  std::vector<PastedWorkload> workloads = {};
  std::vector<PastedPod> pods = {};
  std::vector<AssumedZone> zones = {};  // of Nodes
  std::map<std::string, std::string> zone_of_node = {};
  std::vector<Autoscaler> autoscalers = {};
  std::vector<PastedSlice> slices = {};
  std::vector<Json> endpoints = {};                       // objects of the kind Endpoints
  std::vector<Json> rules = {};                           // DestinationRules
  std::vector<Json> routes = {};                          // VirtualServices
  std::vector<Json> gateway_routes = {};                  // HTTPRoutes and GRPCRoutes
  std::vector<documents::Node> traffic_policies = {};     // BackendTrafficPolicies of Envoy Gateway
  std::vector<Json> backends = {};                        // Backends of Envoy Gateway
  std::vector<Json> others = {};                          // other documents of Istio
  std::map<std::string, std::size_t> pods_left_out = {};  // pods that no slice has as ready, by why
  bool ambient = false;
};

// Collects the documents. Removes those that a scenario does not use: workloads, autoscalers, gateways, routes of the
// Gateway API, EnvoyFilters (reported in `assumed`).
[[nodiscard]] MeshInventory take_inventory(PastedDocuments& documents);

[[nodiscard]] Labels labels_of(const Json& object);
[[nodiscard]] bool has_all(const Labels& labels, const Labels& wanted);
[[nodiscard]] std::string namespace_of(const Json& document);
[[nodiscard]] std::string text_of(const Json& object, const char* key);
[[nodiscard]] const Json& child(const Json& object, const char* key);

}  // namespace spillway::scenario::pasted
