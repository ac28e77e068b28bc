// The input of the simulation: a checked scenario, with every name resolved and every default filled in. Plain data.
// Positions in the vectors are the indices of models/config/strong.hpp. Times count from the start of the run.
// Guarantees: every index is in range, counts and weights are at least 1, durations are not negative, changes are
// sorted by (at, order in the file), and every change is within [0, duration].
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/config/common_lb_config.hpp"
#include "models/config/profile.hpp"
#include "models/config/strong.hpp"
#include "sim/scenario/change.hpp"
#include "sim/scenario/egress_design_row.hpp"
#include "sim/scenario/endpoint.hpp"
#include "sim/scenario/expectation.hpp"
#include "sim/scenario/mode.hpp"
#include "sim/scenario/nanoseconds.hpp"
#include "sim/scenario/planning.hpp"
#include "sim/scenario/shared_list.hpp"
#include "sim/scenario/topology.hpp"

namespace spillway::scenario {

struct ClientEntry;   // client.hpp
struct ControlPlane;  // control_plane.hpp
struct PodGroup;      // pod_group.hpp
struct Route;         // route.hpp
struct Service;       // service.hpp

struct Scenario {
  std::string name;
  std::string description;
  std::string source;  // the document that the scenario reproduces; empty if none
  config::Profile profile;
  Nanoseconds duration{0};
  std::uint64_t seed = 1;
  Mode mode = Mode::requests;

  std::vector<Zone> zones;
  std::vector<Node> nodes;
  std::vector<Link> links;
  std::vector<Endpoint> endpoints;                    // of all services
  SharedList<Service> services;                       // shared by copies of a scenario, as are routes and clients
  std::optional<config::ServiceIndex> local_cluster;  // the callers' own cluster, which zone-aware routing needs
  config::Runtime runtime;                            // of all proxies, at the start
  SharedList<Route> routes;
  SharedList<ClientEntry> clients;
  std::vector<Change> changes;  // includes health timelines of endpoints
  std::vector<Expectation> expectations;
  std::vector<Objective> objectives;                         // of a plan; empty if the file has none
  std::optional<std::vector<PlannedFailure>> failures = {};  // nullopt if the file has none

  std::vector<std::string> assumptions;  // that no document contradicts: "one ingress per zone"
  std::vector<std::string> passed = {};  // the `assumptions` about unsimulated features
  // Counts how often a client's load assignment was found in the cache, and how often it was computed.
  struct ClaCache {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
  };
  std::optional<ClaCache> cla_cache;            // set if there are documents of Kuma
  bool routes_hash_nothing = false;             // Envoy's documents: no route to the asked cluster hashes requests
  bool mesh_without_mtls = false;               // Kuma: no proxy reaches the zone ingress of another zone
  std::vector<EgressDesignRow> egress_designs;  // with profile document and zoneEgress: by service, client and design
  std::shared_ptr<const std::vector<PodGroup>> pods = {};  // of Kubernetes documents; null if they have none
  std::shared_ptr<const ControlPlane> control_plane = {};  // set if it is simulated: no client sends requests then
};

}  // namespace spillway::scenario
