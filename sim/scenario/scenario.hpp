// A scenario: checked, with every name resolved and every default filled in. What the simulation runs on.
// Plain data. Positions in the vectors are the indices of models/config/strong.hpp. Times count from the start of the
// run. Whoever holds a Scenario may rely on: every index is in range, counts and weights are at least 1, durations are
// not negative, changes are sorted by (at, order in the file), every change lies within [0, duration).
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/config/circuit_breakers.hpp"
#include "models/config/cluster_load_assignment.hpp"
#include "models/config/profile.hpp"
#include "models/config/retry_policy.hpp"
#include "models/documents/source.hpp"
#include "models/envoy/cluster.hpp"
#include "models/envoy/refusals.hpp"
#include "models/envoy/routes/header_to_metadata.hpp"
#include "models/envoy/routes/request.hpp"
#include "models/envoy/routes/route.hpp"
#include "models/envoy/stateful_session/filter.hpp"
#include "models/istio/trail.hpp"
#include "models/kuma/document_egress.hpp"
#include "models/kuma/load_assignment.hpp"
#include "models/kuma/policy_trail.hpp"
#include "sim/scenario/change.hpp"
#include "sim/scenario/expectation.hpp"
#include "sim/scenario/planning.hpp"
#include "sim/scenario/serving.hpp"
#include "sim/scenario/shared_list.hpp"

namespace spillway::scenario {

enum class Mode : std::uint8_t { exact, requests, platform };

struct ControlPlane;  // control_plane.hpp

// An Envoy locality without its sub_zone: (region, zone).
struct Zone {
  std::string name;    // unique: `region/zone` where the scenario has zones of this name in several regions
  std::string region;  // may be empty
  std::optional<std::string> locality_zone = {};  // Envoy's locality.zone; none: the name
};

// Where endpoints and clients run. A zone without nodes in the file has one of its own name.
struct Node {
  std::string name;
  config::ZoneIndex zone;
  std::string sub_zone;  // may be empty
  std::map<std::string, std::string> labels = {};
  // The cores that those of its endpoints share which have none of their own; none: without limit.
  std::optional<Servers> servers = {};
};

// Between two different zones, both ways. Zones without a link have no latency between them.
struct Link {
  config::ZoneIndex first;
  config::ZoneIndex second;
  Nanoseconds latency{0};  // one way: the mean
  Nanoseconds jitter{0};   // by which a request may take less or more each way; at most the latency
  // Bits a second, each way for itself; none: without limit. Limits in platform mode alone.
  std::optional<double> bandwidth = {};
  double price = 0.0;  // of 10^9 bytes that cross it, in the scenario's currency
};

// What runs on a node and answers requests, or forwards them.
struct Endpoint {
  std::string id;  // unique in the scenario; `<service>-<n>` where the file gives a count
  config::NodeIndex node;
  Nanoseconds service_time{0};  // how long it works on a request: the mean, on a node of this speed
  // Requests a second that it can serve on a node of this speed, where a `capacity` is written: its service time is
  // that, rounded to nanoseconds.
  std::optional<double> capacity = {};
  // The ORCA report that comes with each of its answers, for client-side weights; none: it reports nothing.
  std::optional<envoy::policies::client_side_weighted_round_robin::LoadReport> load_report = {};
  std::map<std::string, std::string> tags = {};            // beside those of its node and zone
  std::shared_ptr<const ServiceVariation> variation = {};  // null: every request takes the same time
  std::optional<Servers> servers = {};                     // its own; none: the node's
  std::uint64_t request_bytes = 0;                         // of a request to it, and of its answer
  std::uint64_t response_bytes = 0;
  std::optional<double> price = {};  // of an hour, in the scenario's currency
  bool assumed = false;              // a zone ingress that no document writes
};

// How long a request keeps one core busy, on average and not rounded. [s]
[[nodiscard]] double core_seconds(const Endpoint& endpoint);

// What a host of a load assignment is: an endpoint, or a zone proxy that forwards to the hosts of another service.
struct Host {
  config::EndpointIndex endpoint;  // the zone proxy itself, if it is one
  std::optional<config::ServiceIndex> forwards_to = {};
  // Of a view: which step of Kuma's policy put it where it is.
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

// What makes a service a view: it is what some class of clients has for a service that they ask for by name.
struct View {
  config::ServiceIndex of;
  // Of an aggregate cluster: cluster.aggregate_clusters, whose names other views may have too.
  std::vector<config::ServiceIndex> members = {};
  std::vector<DroppedEndpoint> dropped = {};           // what Kuma's policy keeps from these clients
  std::map<std::string, std::string> subset = {};      // Kuma: tags that its endpoints have, as a route asks for them
  std::shared_ptr<const istio::IstioTrail> istio_trail = {};  // of Istio's documents
};

// A cluster that a route names and the proxy does not have: Envoy answers its requests with a 503 (response flag NC)
// and tries none of them again. Or the place of a route that the proxy does not have: it answers with a 404 (NR).
struct MissingCluster {
  bool no_route = false;
  std::string reason;          // "DestinationRule shop/web has no subset `v2`"
  std::string routed_by = {};  // the document that names it: "VirtualService shop/web"; empty if it is unknown
  Span where = {};             // of that document
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

// What decides where a route leads, and where a file says it.
struct RouteOrigin {
  std::string name = {};  // "MeshTCPRoute r", "VirtualService shop/web", "route"
  Span where = {};        // its rule

  friend bool operator==(const RouteOrigin&, const RouteOrigin&) = default;
};

// envoy.config.route.v3.Route, with what its clusters are here.
struct Route : envoy::routes::TimeoutsAndRetries {
  envoy::routes::Route route;
  std::vector<config::ServiceIndex> clusters;  // of route.action.clusters, in their order
  std::optional<envoy::StatefulSession> stateful_session = {};
  envoy::routes::HeaderToMetadata header_to_metadata = {};  // without rules: the filter is not there
  // Keys of conditions that Envoy's documents have and its match lacks, or has in a wider form.
  std::vector<std::string> loosened = {};
  // Why it is not known where its requests go: something that is not simulated may change them. Empty if it is known.
  std::string unknown_choice = {};
  std::string passed = {};                // what its requests pass that is not simulated; empty if there is nothing
  std::vector<RouteOrigin> origins = {};  // the scenario's own route first; empty: no document routes the requests
};

// Requests that are alike. Headers do not change while a scenario is played, so the route is known beforehand.
struct RequestKind {
  std::string name;  // unique in its workload: "x-user: u17"
  envoy::routes::Request request;
  double weight = 1.0;      // its part of the workload, relative to the other kinds
  std::uint32_t route = 0;  // in Scenario::routes
};

// When requests come: at random moments, evenly spaced, or at random distances of up to twice the mean one; when a
// trace says; or when users have thought about the answer before.
enum class Arrivals : std::uint8_t { poisson, periodic, uniform, trace, closed };

struct TracedArrival {
  Nanoseconds at{0};
  std::uint32_t client = 0;  // within the entry
};

struct Workload {
  config::ServiceIndex service;  // asked for straight, without a route, where there are no `requests`
  double rate = 0.0;             // requests a second of ONE client, in the first phase; may be 0
  Arrivals arrivals = Arrivals::poisson;
  std::vector<RequestKind> requests = {};  // by the scenario's routes
  double slope = 0.0;                      // by which the rate grows each second of the first phase
  // Of its requests and their answers; none: what the endpoint says.
  std::optional<std::uint64_t> request_bytes = {};
  std::optional<std::uint64_t> response_bytes = {};
  // Arrivals::trace: every arrival, in the order of time; `rate` is the mean one.
  std::shared_ptr<const std::vector<TracedArrival>> trace = {};
  // Arrivals::closed: each of so many users of ONE client sends, waits for the answer, thinks, and sends again. `rate`
  // then only weighs the entry: one a second for each user.
  std::uint32_t users = 0;
  Nanoseconds think_time{0};                                     // the mean
  std::shared_ptr<const ServiceVariation> think_variation = {};  // null: always the same
};

// `count` clients alike, each a proxy with a balancer of its own. They are one client in every table: their locality
// and tags are those of `node`, wherever each of them runs.
struct ClientEntry {
  std::string name;
  config::NodeIndex node;
  std::uint32_t count = 1;
  Workload workload;
  std::map<std::string, std::string> tags = {};  // beside those of its node and zone
  // A zone proxy: it sends nothing of its own, and forwards what it gets to these services.
  std::optional<config::EndpointIndex> zone_proxy = {};
  std::vector<config::ServiceIndex> forwards = {};
  // Under documents of Kuma: what MeshLoadBalancingStrategy says about each service, as they were looked up.
  std::vector<kuma::PolicyTrail> policy_trails = {};
  std::uint32_t concurrency = 1;  // workers of each proxy, which have balancers of their own
  // Where they run, all in the zone of `node`: the first client on the first of these, the next one on the next, and
  // round again. Empty: all on `node`.
  std::vector<config::NodeIndex> nodes = {};
};

// What a design for zone egress would do with the requests of one client for one service that leave its zone, while
// every endpoint is healthy.
struct EgressDesignRow {
  std::string client;
  config::ServiceIndex service;
  kuma::EgressDesign design = kuma::EgressDesign::aggregate;
  kuma::ClusterCounts clusters = {};
  std::vector<std::pair<std::string, double>> zones =
      {};  // fraction by zone, in the order of the scenario; may be none
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

  // What was taken for granted since no document says otherwise: "one ingress a zone".
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

[[nodiscard]] inline config::EndpointIndex endpoint_index(const Scenario& scenario, config::ServiceIndex service,
                                                          config::HostIndex host) {
  return scenario.services[service.value].hosts[host.value].endpoint;
}

// The host that it is one with, where it is one of the service's other_places; else itself.
[[nodiscard]] inline config::HostIndex same_host(const Service& service, config::HostIndex host) noexcept {
  const std::size_t first_other = service.hosts.size() - service.other_places.size();
  return host.value < first_other ? host : service.other_places[host.value - first_other].of;
}

[[nodiscard]] inline const Endpoint& endpoint_at(const Scenario& scenario, config::ServiceIndex service,
                                                 config::HostIndex host) {
  return scenario.endpoints[endpoint_index(scenario, service, host).value];
}

// Where one of the entry's clients runs, counted from 0.
[[nodiscard]] inline config::NodeIndex node_of(const ClientEntry& entry, std::uint32_t client) noexcept {
  return entry.nodes.empty() ? entry.node : entry.nodes[client % entry.nodes.size()];
}

// How many of the entry's clients run on nodes of which `is_one` says so.
template <class Predicate>
[[nodiscard]] std::uint32_t clients_on(const ClientEntry& entry, const Predicate& is_one) {
  std::uint32_t sum = entry.nodes.empty() && is_one(entry.node) ? entry.count : 0;
  for (std::size_t index = 0; index < entry.nodes.size(); ++index) {
    const auto nodes = static_cast<std::uint32_t>(entry.nodes.size());
    sum += is_one(entry.nodes[index]) ? entry.count / nodes + (index < entry.count % nodes ? 1 : 0) : 0;
  }
  return sum;
}

// The link that joins two zones, if there is one. Linear in links.
[[nodiscard]] std::optional<config::LinkIndex> link_between(const Scenario& scenario, config::ZoneIndex one,
                                                            config::ZoneIndex other);

// The name of a zone that shares its own with zones of other regions: `region/zone`, `/zone` without a region, and the
// region alone without a zone.
[[nodiscard]] std::string name_with_region(const std::string& region, const std::string& zone);

// Whether a text of the file means this zone: its name, or its region and name.
[[nodiscard]] bool is_called(const Zone& zone, const std::string& text);

// Envoy's locality of what runs on a node.
[[nodiscard]] config::Locality locality_of(const Scenario& scenario, config::NodeIndex node);

// The service by whose name clients ask for it.
[[nodiscard]] inline config::ServiceIndex asked_for(const Scenario& scenario, config::ServiceIndex service) {
  const std::optional<View>& view = scenario.services[service.value].as_view;
  return view ? view->of : service;
}

// The clusters that a service's requests can end in: its own, or an aggregate cluster's children in the order it lists
// them.
[[nodiscard]] std::vector<config::ServiceIndex> members_of(const Scenario& scenario, config::ServiceIndex service);

// Whether its requests can reach hosts of this priority, or of a higher number: in its members or in what Kuma makes of
// them for its clients.
[[nodiscard]] bool reaches_priority(const Scenario& scenario, config::ServiceIndex service, config::Priority priority);

// Adds what else decides where a route leads.
void add_origins(SharedList<Route>& routes, std::uint32_t route, const std::vector<RouteOrigin>& more);

// The services that a client's requests go to, each once: in the order of its kinds of requests and their routes'
// clusters.
[[nodiscard]] std::vector<config::ServiceIndex> services_of(const Scenario& scenario, const ClientEntry& client);

}  // namespace spillway::scenario
