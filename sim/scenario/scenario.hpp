// A scenario: checked, with every name resolved and every default filled in. What the simulation runs on.
//
// Plain data. Positions in the vectors are the indices of models/config/strong.hpp. Times count from the start of the
// run. Whoever holds a Scenario may rely on: every index is in range, counts and weights are at least 1, durations are
// not negative, changes are sorted by (at, order in the file), every change lies within [0, duration).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/config/cluster_load_assignment.hpp"
#include "models/config/profile.hpp"
#include "models/envoy/cluster.hpp"
#include "sim/scenario/expectation.hpp"
#include "sim/scenario/source.hpp"

namespace spillway::scenario {

using Nanoseconds = std::chrono::nanoseconds;

enum class Mode : std::uint8_t { exact, requests };

struct Zone {
  std::string name;
  std::string region;  // may be empty
};

// Where endpoints and clients run. A zone without nodes in the file has one of its own name.
struct Node {
  std::string name;
  config::ZoneIndex zone;
  std::string sub_zone;  // may be empty
};

// Between two different zones, both ways. Zones without a link have no latency between them.
struct Link {
  config::ZoneIndex first;
  config::ZoneIndex second;
  Nanoseconds latency{0};  // one way
};

struct Endpoint {
  std::string id;  // unique in the scenario; `<service>-<n>` where the file gives a count
  config::NodeIndex node;
  Nanoseconds service_time{0};  // how long a request holds the endpoint
};

// Something that clients ask for: a cluster with its load assignment. Hosts of the load assignment, in its order, and
// `endpoints` are the same things: HostIndex i is endpoints[i].
struct Service {
  std::string name;
  envoy::Cluster cluster;
  config::ClusterLoadAssignment load_assignment;  // health_status as told at time 0
  std::vector<Endpoint> endpoints;
  std::vector<config::HostIndex> absent_at_start;  // hosts that a change adds later
};

enum class Arrivals : std::uint8_t { poisson, periodic };

struct Workload {
  config::ServiceIndex service;
  double rate = 0.0;  // requests a second of ONE client, in the first phase; may be 0
  Arrivals arrivals = Arrivals::poisson;
};

// `count` clients alike, each a proxy with a balancer of its own.
struct ClientEntry {
  std::string name;
  config::NodeIndex node;
  std::uint32_t count = 1;
  Workload workload;
};

// The proxies are told the health of these hosts (an EDS push). Says nothing about what the endpoints really do.
struct TellHealth {
  config::ServiceIndex service;
  std::vector<std::pair<config::HostIndex, config::HealthStatus>> hosts;
  std::vector<config::ZoneIndex> audience = {};  // clients of these zones; empty: all clients
};

// The proxies are told that these hosts belong to the endpoint set, or no longer do (an EDS push).
struct TellMembership {
  config::ServiceIndex service;
  std::vector<config::HostIndex> hosts;
  bool member = true;
  std::vector<config::ZoneIndex> audience = {};  // clients of these zones; empty: all clients
};

// The endpoints themselves come or go: what does not exist refuses connections. Nobody is told.
struct Existence {
  config::ServiceIndex service;
  std::vector<config::HostIndex> hosts;
  bool exists = true;
};

// A phase of a workload begins.
struct RateChange {
  config::ClientEntryIndex client;
  double rate = 0.0;  // requests a second of one client; 0: none
};

// The node itself goes away or comes back: what runs there neither sends nor answers. Nobody is told.
struct NodeOutage {
  config::NodeIndex node;
  bool on = false;
};

struct LinkChange {
  config::LinkIndex link;
  std::optional<Nanoseconds> latency;
  std::optional<bool> on;
};

// From now on the hosts answer this fraction of their requests, 0 to 1, with a 503. Nobody is told.
struct Fails {
  config::ServiceIndex service;
  std::vector<config::HostIndex> hosts;
  double fraction = 0.0;
};

using Effect = std::variant<TellHealth, TellMembership, Existence, NodeOutage, LinkChange, Fails, RateChange>;

struct Change {
  Nanoseconds at{0};
  Effect effect;
  Span where;  // the line of the file that says so
};

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
  std::vector<Service> services;
  std::optional<config::ServiceIndex> local_cluster;  // the callers' own cluster, which zone-aware routing needs
  config::Runtime runtime;                            // a bootstrap's static runtime layer
  std::vector<ClientEntry> clients;
  std::vector<Change> changes;  // health timelines of endpoints included
  std::vector<Expectation> expectations;
};

// The clusters that a service's requests can end in: its own, or an aggregate cluster's children in the order it lists
// them.
[[nodiscard]] std::vector<config::ServiceIndex> members_of(const Scenario& scenario, config::ServiceIndex service);

}  // namespace spillway::scenario
