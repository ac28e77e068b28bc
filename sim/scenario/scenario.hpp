// A scenario: checked, with every name resolved and every default filled in. What the simulation runs on.
// Plain data. Positions in the vectors are the indices of models/config/strong.hpp. Times count from the start of the
// run. Whoever holds a Scenario may rely on: every index is in range, counts and weights are at least 1, durations are
// not negative, changes are sorted by (at, order in the file), every change lies within [0, duration).
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
struct Route;         // route.hpp
struct Service;       // service.hpp

struct Scenario {
  std::string name;
  std::string description;
  std::string source;  // the document that the scenario reproduces, empty if none
  config::Profile profile;
  Nanoseconds duration{0};
  std::uint64_t seed = 1;
  Mode mode = Mode::requests;

  std::vector<Zone> zones;
  std::vector<Node> nodes;
  std::vector<Link> links;
  std::vector<Endpoint> endpoints;                    // of all services
  SharedList<Service> services;                       // copies of a scenario share them, as routes and clients
  std::optional<config::ServiceIndex> local_cluster;  // the callers' own cluster, which zone-aware routing needs
  config::Runtime runtime;                            // of every proxy, at the start
  SharedList<Route> routes;
  SharedList<ClientEntry> clients;
  std::vector<Change> changes;  // health timelines of endpoints included
  std::vector<Expectation> expectations;
  std::vector<Objective> objectives;                         // of the plan; empty: the file says nothing
  std::optional<std::vector<PlannedFailure>> failures = {};  // none: the file says nothing

  // Assumptions that no document contradicts: "one ingress per zone".
  std::vector<std::string> assumptions;
  std::vector<std::string> passed = {};  // of these, what a described request passes without being simulated
  // How often the load assignment of a client was there already, and how often it had to be made.
  struct ClaCache {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
  };
  std::optional<ClaCache> cla_cache;            // where there are documents of Kuma
  bool mesh_without_mtls = false;               // Kuma: no proxy reaches the zone ingress of another zone
  std::vector<EgressDesignRow> egress_designs;  // in profile document with zoneEgress: by service, client and design
  // A scenario of another kind: a control plane is played, and there is no client that sends requests.
  std::shared_ptr<const ControlPlane> control_plane = {};
};

}  // namespace spillway::scenario
