// A service that clients request: a cluster with its load assignment.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/config/cluster_load_assignment.hpp"
#include "models/config/strong.hpp"
#include "models/envoy/cluster.hpp"
#include "models/kuma/placement.hpp"

namespace spillway::istio {

struct IstioTrail;  // trail.hpp

}  // namespace spillway::istio

namespace spillway::kuma {

struct ClusterSource;  // cluster_source.hpp

}  // namespace spillway::kuma

namespace spillway::scenario {

struct MissingCluster;  // missing_cluster.hpp

// A host of a load assignment: an endpoint, or a zone proxy that forwards to the hosts of another service.
struct Host {
  config::EndpointIndex endpoint;  // for a zone proxy: the proxy itself
  std::optional<config::ServiceIndex> forwards_to = {};
  // In a per-client cluster (View): the step of Kuma's policy that determined its priority or locality.
  kuma::Placement placement = {};
};

// An endpoint of a service that a per-client cluster (View) lacks.
struct DroppedEndpoint {
  std::string address;
  config::EndpointIndex endpoint;
  kuma::Placement placement = {};
};

// A second entry for the host `of`, at another priority to which a change moves it. It is the same endpoint, and shares
// what a proxy has detected about `of`.
struct OtherPlace {
  config::HostIndex of;
  config::Priority priority;
};

// The data of a per-client cluster: a class of clients uses it in place of the service that they request by name.
struct View {
  config::ServiceIndex of;
  // For an aggregate cluster: the services of cluster.aggregate_clusters, whose names may occur in several views.
  std::vector<config::ServiceIndex> members = {};
  std::vector<DroppedEndpoint> dropped = {};       // endpoints that Kuma's policy hides from these clients
  std::map<std::string, std::string> subset = {};  // Kuma: tags required by a route, which all its endpoints have
  std::shared_ptr<const istio::IstioTrail> istio_trail = {};    // set for Istio's documents
  std::shared_ptr<const kuma::ClusterSource> kuma_source = {};  // set for Kuma's documents: the input of the cluster
};

// A cluster with its load assignment. hosts[i] belongs to HostIndex i: the i-th endpoint of the load assignment.
// Several services may have the same endpoint.
struct Service {
  std::string name;
  envoy::Cluster cluster;
  config::ClusterLoadAssignment load_assignment;  // health_status as EDS reports it at time 0
  std::vector<Host> hosts;
  std::vector<config::HostIndex> absent_at_start;  // hosts that a change adds
  std::vector<OtherPlace> other_places = {};       // entries for the last hosts, in order
  std::optional<View> as_view = {};                // nullopt if clients request it by its own name
  // True if each request opens a connection (bare TCP); otherwise a proxy has one connection per host. Matters only
  // behind zone proxies.
  bool connection_per_request = false;
  std::shared_ptr<const MissingCluster> missing = {};  // null if the proxy has it; else it has no hosts
};

// Returns the host that this host is another entry of (other_places); otherwise the host itself.
[[nodiscard]] inline config::HostIndex same_host(const Service& service, config::HostIndex host) noexcept {
  const std::size_t first_other = service.hosts.size() - service.other_places.size();
  return host.value < first_other ? host : service.other_places[host.value - first_other].of;
}

}  // namespace spillway::scenario
