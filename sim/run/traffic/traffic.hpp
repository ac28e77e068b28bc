// The needs of a workload's requests at balancers, computed before the first one is sent: route, cluster, hash, and
// subset criteria.
//
//   Traffic traffic(scenario, flows);
//   const Demand& demand = traffic.choose(entry, draws);         // of the next request
//   balancer.choose(draw, {.hash = demand.hash, .criteria = demand.criteria, ...});
//   traffic.exact_shares(flow, state);                           // the mixture over the flow's kinds of requests
//
// Memory: one Demand per kind of request and cluster that it can go to.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "models/config/strong.hpp"
#include "models/envoy/exact_shares.hpp"
#include "models/envoy/forward.hpp"
#include "models/envoy/policies/override_host/override_host.hpp"
#include "models/envoy/policies/subset/criteria.hpp"
#include "models/envoy/routes/route.hpp"
#include "sim/engine/alias_table.hpp"
#include "sim/run/traffic/flows.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/scenario/outcome.hpp"
#include "sim/scenario/route.hpp"

namespace spillway::envoy::routes {
struct Request;  // request.hpp
}  // namespace spillway::envoy::routes

namespace spillway::envoy::stateful_session {
enum class SessionChoice : std::uint8_t;  // stateful_session.hpp
}  // namespace spillway::envoy::stateful_session

namespace spillway::run {

// Stateful sessions that requests bring with them: the host that a session names, and where such a request goes.
//
//   if (const auto value = session_of(*route.stateful_session, request)) {
//     std::optional<BroughtSession> session = brought_session(service, *route.stateful_session, *value);
//   }
//
// Source: Envoy's filters/http/stateful_session and load_balancing_policies/override_host;
// docs/behaviour/envoy-host-pick.md.

// A session that every request brings in its own header or cookie.
struct BroughtSession {
  std::optional<config::HostIndex> host = {};  // nullopt if the cluster has no such address
  bool strict = false;

  friend bool operator==(const BroughtSession&, const BroughtSession&) = default;
};

// Returns a number that differs between sessions of one cluster; 0 if there is no session.
[[nodiscard]] std::uint64_t number_of(const std::optional<BroughtSession>& session);

// True if the route keeps a session for this request.
[[nodiscard]] bool keeps_session(const scenario::Route& route, const envoy::routes::Request& request);

// Returns the value of the session that the request brings; nullopt if it brings none.
[[nodiscard]] std::optional<std::string> session_of(const envoy::StatefulSession& session,
                                                    const envoy::routes::Request& request);

// Returns the host that a session value names; nullopt if it names none and therefore is ignored.
[[nodiscard]] std::optional<BroughtSession> brought_session(const scenario::Service& service,
                                                            const envoy::StatefulSession& session,
                                                            const std::string& value);

// Returns the host that a request with this session gets, by the balancers' state; nullopt if the state lacks something
// that override_host_status depends on.
[[nodiscard]] std::optional<envoy::stateful_session::SessionChoice> choice_of(const BroughtSession& session,
                                                                              const envoy::Cluster& cluster,
                                                                              const envoy::ClusterState& state);

// Returns the endpoint of the service with this address; nullopt if there is none.
[[nodiscard]] std::optional<config::HostIndex> endpoint_at(const scenario::Service& service,
                                                           const std::string& address);

struct TracedPart;  // traced_part.hpp

// The needs of one kind of request at one cluster.
struct Demand {
  std::uint32_t place = 0;  // its own index, among all
  FlowIndex flow;
  std::optional<std::uint64_t> hash = {};                       // by the policy's own rule or the route's
  const envoy::policies::subset::Criteria* criteria = nullptr;  // null if none
  const scenario::RequestKind* kind = nullptr;                  // null for a plain request
  const envoy::routes::Request* request = nullptr;  // of the kind, after filters and route; null for a plain one
  const envoy::policies::override_host::OverrideHosts* override_hosts = nullptr;  // copied for each request
  bool original_dst = false;                          // true for an original destination cluster
  std::optional<config::HostIndex> destination = {};  // original destination: its host; nullopt if there is none
  // The outcome if no host can be picked. An original destination becomes a host even if there is no endpoint at it.
  scenario::Outcome without_host = scenario::Outcome::no_healthy_upstream;
  const scenario::Route* route = nullptr;  // null if requested without a route
  bool keeps_session = false;
  std::optional<BroughtSession> brought = {};  // a host that the request itself names
  std::uint32_t session = 0;                   // number of its client's session, if the route keeps any
  double weight = 1.0;                         // its part of the flow, relative to the others

  // Returns the priority as config::RoutingPriority; without a route the default.
  [[nodiscard]] std::uint8_t routing_priority() const noexcept {
    return route == nullptr ? 0 : static_cast<std::uint8_t>(route->priority);
  }
};

class Traffic {
 public:
  // Lifetime: the scenario must outlive this object.
  Traffic(const scenario::Scenario& scenario, const Flows& flows);
  Traffic(const Traffic&) = delete;
  Traffic& operator=(const Traffic&) = delete;

  // Draws the next request of a client of this entry: one draw for its kind and one for its cluster, each only if there
  // is a choice. O(1).
  template <class Draw>
  [[nodiscard]] const Demand& choose(config::ClientEntryIndex entry, Draw& draw) const {
    const Client& client = clients_[entry.value];
    const std::uint32_t kind = client.kinds.size() > 1 ? client.kinds(draw) : 0;
    const std::uint32_t first = client.first_demand[kind];
    if (client.first_demand[kind + 1] - first == 1) {
      return demands_[first];
    }
    const envoy::routes::RouteAction& action = demands_[first].route->route.action;
    return demands_[first +
                    static_cast<std::uint32_t>(envoy::routes::choose_cluster(action, draw()) - action.clusters.data())];
  }

  [[nodiscard]] const Demand& demand(std::uint32_t place) const noexcept { return demands_[place]; }
  [[nodiscard]] std::size_t demands() const noexcept { return demands_.size(); }
  // Returns all demands of a client of this entry.
  [[nodiscard]] std::span<const Demand> demands_of_client(config::ClientEntryIndex entry) const noexcept {
    const std::vector<std::uint32_t>& first = clients_[entry.value].first_demand;
    return {demands_.data() + first.front(), demands_.data() + first.back()};
  }

  // Returns the demands of the flow, one per kind of request, in their order. O(all demands).
  [[nodiscard]] std::vector<const Demand*> demands_of(FlowIndex flow) const {
    std::vector<const Demand*> demands;
    for (const Demand& demand : demands_) {
      if (demand.flow == flow) {
        demands.push_back(&demand);
      }
    }
    return demands;
  }

  // dropped() returns the part of a flow's requests that the load assignment's `drop_overloads` answers before any
  // pick. part_of_client() returns the part of its client's requests that a flow gets.
  [[nodiscard]] double dropped(FlowIndex flow) const noexcept { return mixtures_[flow.value].dropped; }
  [[nodiscard]] double part_of_client(FlowIndex flow) const noexcept { return mixtures_[flow.value].part; }

  // Returns the class of the flow. Flows of one class have the same exact shares in the same state.
  [[nodiscard]] std::uint32_t class_of(FlowIndex flow) const noexcept { return class_of_flow_[flow.value]; }

  // sessions() returns the number of sessions of each client of the entry; 0 if no route keeps any. session_ttl()
  // returns how long one is kept; 0 means for ever.
  [[nodiscard]] std::uint32_t sessions(config::ClientEntryIndex entry) const noexcept {
    return clients_[entry.value].sessions;
  }
  [[nodiscard]] std::chrono::seconds session_ttl(config::ClientEntryIndex entry, std::uint32_t session) const noexcept {
    return demands_[clients_[entry.value].first_demand[session]].route->stateful_session->ttl;
  }

  // Returns the retry policies of the flow's routes.
  [[nodiscard]] const std::vector<const config::RetryPolicy*>& retry_policies(FlowIndex flow) const noexcept {
    return mixtures_[flow.value].retry_policies;
  }

  // Returns where the first pick of the flow's requests goes, over all kinds of requests. `traced`, if not null, gets
  // the trace of each part of the flow. ClosedForms knows the circumstances; without them these are the shares at rest.
  [[nodiscard]] envoy::ExactShares exact_shares(FlowIndex flow, const envoy::ClusterState& state,
                                                const envoy::Circumstances& circumstances = {},
                                                std::vector<TracedPart>* traced = nullptr) const;

 private:
  struct Client {
    engine::AliasTable kinds;
    std::vector<std::uint32_t> first_demand;  // by kind, and the end
    std::uint32_t sessions = 0;
  };

  // Requests of one flow that differ only in their hashes.
  struct Alike {
    const envoy::policies::subset::Criteria* criteria = nullptr;
    const envoy::policies::override_host::OverrideHosts* override_hosts = nullptr;
    std::optional<config::HostIndex> destination = {};
    std::optional<BroughtSession> brought = {};
    std::vector<envoy::WeightedHash> hashes = {};  // empty if they have none
    double weight = 0.0;
  };
  struct Mixture {
    std::vector<Alike> parts = {};
    // Only to find a part again while parts are collected; never iterated, since it is ordered by addresses.
    std::map<std::tuple<const void*, const void*, std::int64_t, bool, std::uint64_t>, std::size_t> places = {};
    config::ServiceIndex service = {};
    double weight = 0.0;
    double part = 1.0;     // of the client's requests
    double dropped = 0.0;  // of the flow's, before any pick
    bool sessions = false;
    bool original_dst = false;
    std::string_view unknown = {};  // why the destination of some requests is unknown
    std::string_view passed = {};   // what some of them pass that is not simulated
    std::vector<const config::RetryPolicy*> retry_policies = {};
  };

  void add_plain_client(config::ClientEntryIndex entry, const Flows& flows);
  void add_client(config::ClientEntryIndex entry, const Flows& flows);
  [[nodiscard]] Demand demand_of(const scenario::RequestKind& kind, std::size_t cluster);
  const envoy::policies::subset::Criteria* criteria_of(const scenario::RequestKind& kind,
                                                       const config::Struct& dynamic_metadata, std::size_t cluster);
  void add_to_mixture(const Demand& demand);
  // Returns, as numbers, what distinguishes the mixtures of two classes.
  [[nodiscard]] static std::vector<std::uint64_t> signature_of(const Mixture& mixture);
  [[nodiscard]] static envoy::ExactShares mix(const Mixture& mixture,
                                              const std::function<envoy::ExactShares(const Alike&)>& of);
  [[nodiscard]] static envoy::ExactShares destinations(const Mixture& mixture);

  const scenario::Scenario* scenario_;
  std::vector<Client> clients_;
  std::vector<Demand> demands_;
  std::vector<std::uint32_t> class_of_flow_;
  std::vector<Mixture> mixtures_;  // by flow
  // If requests bring no metadata, all requests of one route and cluster have the same criteria.
  std::vector<std::vector<const envoy::policies::subset::Criteria*>> criteria_of_route_;
  std::deque<envoy::policies::subset::Criteria> criteria_;
  std::deque<envoy::policies::override_host::OverrideHosts> override_hosts_;
  std::deque<envoy::routes::Request> changed_;  // by filters and routes
};

}  // namespace spillway::run
