// A service: a cluster with its load assignment, as clients ask for it.
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
  config::EndpointIndex endpoint;  // the zone proxy itself, if it is one
  std::optional<config::ServiceIndex> forwards_to = {};
  // In a view: the step of Kuma's policy that put it where it is.
  kuma::Placement placement = {};
};

// An endpoint of a service that a view lacks.
struct DroppedEndpoint {
  std::string address;
  config::EndpointIndex endpoint;
  kuma::Placement placement = {};
};

// A host that is the host `of` at another priority, where a change moves it: the same endpoint, and what a proxy has
// found out about the one it knows of the other.
struct OtherPlace {
  config::HostIndex of;
  config::Priority priority;
};

// The part of a service that makes it a view: a class of clients has it for a service that they request by name.
struct View {
  config::ServiceIndex of;
  // In an aggregate cluster: cluster.aggregate_clusters, whose names other views may have too.
  std::vector<config::ServiceIndex> members = {};
  std::vector<DroppedEndpoint> dropped = {};       // what Kuma's policy keeps from these clients
  std::map<std::string, std::string> subset = {};  // Kuma: tags that its endpoints have, as a route asks for them
  std::shared_ptr<const istio::IstioTrail> istio_trail = {};    // of Istio's documents
  std::shared_ptr<const kuma::ClusterSource> kuma_source = {};  // of Kuma's documents: what the cluster was made from
};

// Something that clients ask for: a cluster with its load assignment. HostIndex i, an endpoint of the load assignment
// in its order, is hosts[i]. Several services may lead to one endpoint.
struct Service {
  std::string name;
  envoy::Cluster cluster;
  config::ClusterLoadAssignment load_assignment;  // health_status as told at time 0
  std::vector<Host> hosts;
  std::vector<config::HostIndex> absent_at_start;  // hosts that a change adds later
  std::vector<OtherPlace> other_places = {};       // the last hosts, in their order
  std::optional<View> as_view = {};                // none: clients ask for it by its own name
  // Each request is a connection of its own (bare TCP); else a proxy has one connection to a host. Only zone proxies
  // tell.
  bool connection_per_request = false;
  std::shared_ptr<const MissingCluster> missing = {};  // null if the proxy has it; else it has no hosts
};

// The host that it is one with, where it is one of the service's other_places; else itself.
[[nodiscard]] inline config::HostIndex same_host(const Service& service, config::HostIndex host) noexcept {
  const std::size_t first_other = service.hosts.size() - service.other_places.size();
  return host.value < first_other ? host : service.other_places[host.value - first_other].of;
}

}  // namespace spillway::scenario
