// The highest load of each endpoint so far, and how long a request can have stayed there except with negligible
// probability. Derived from the shares of all clients in mode exact, which sends no requests.
//
//   LoadBounds loads(scenario, flows, traffic);
//   loads.measure(10s, judge);            // from the last call until then nothing has changed
//   loads.apply(changes_at_10s);
//   loads.stay(endpoint);
//
// A flow is settled if no finding of a proxy, and no retry, can change where its requests go. Any other flow is assumed
// to send all its requests, retries included, to each of its endpoints. Behind a zone proxy all requests of a flow may
// use one connection, which leads to one endpoint.
//
// Memory: a few bytes per endpoint, and that of Upstreams. A measurement costs as much as the exact shares of all
// classes of flows; it is free if nothing has changed.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "models/envoy/exact_shares.hpp"
#include "models/envoy/forward.hpp"
#include "sim/run/eds/upstreams.hpp"
#include "sim/run/exact/stay_bound.hpp"
#include "sim/run/traffic/flows.hpp"
#include "sim/run/traffic/targets.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::run {

class Traffic;  // traffic.hpp
struct Demand;  // traffic.hpp

class LoadBounds {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  // Lifetime: all arguments must outlive this object.
  LoadBounds(const scenario::Scenario& scenario, const Flows& flows, const Traffic& traffic);

  struct Judge {
    std::function<envoy::ExactShares(FlowIndex, const envoy::ClusterState&)> shares_of;
    std::function<bool(FlowIndex, const envoy::ExactShares&)> is_settled;
  };
  void measure(Nanoseconds until, const Judge& judge);
  // Applies the changes of one time. Precondition: loads were measured up to that time.
  void apply(std::span<const scenario::Change> changes);

  // Returns a bound [s] on the time from a request's arrival to the end of service; infinity if there is none.
  [[nodiscard]] double stay(config::EndpointIndex endpoint) const;
  // Returns the average utilisation of its cores by settled shares; 0 if it serves any number of requests at once.
  [[nodiscard]] double utilisation(config::EndpointIndex endpoint) const;
  // True if requests that are not settled may move there.
  [[nodiscard]] bool may_get_more(config::EndpointIndex endpoint) const;
  // True if its queue has a limit that may be reached.
  [[nodiscard]] bool may_fill(config::EndpointIndex endpoint) const;
  // True if one client may have more than `most` requests in flight, where none takes longer than `longest` [s].
  [[nodiscard]] bool may_have_in_flight(config::ClientEntryIndex client, double longest, std::uint32_t most) const;

 private:
  // The requests of flows of one class of clients.
  struct Demand {
    FlowIndex flow;           // one of them
    double rate = 0.0;        // requests per second
    double population = 0.0;  // users who wait for responses, or the most requests that a trace may bring at once
    bool open = true;         // false for users
    envoy::ExactShares shares = {};
    std::vector<double> forwarded = {};
    bool settled = true;
  };
  // The load of the cores of an endpoint, or of a node.
  struct Load {
    Work open = {};
    Work closed = {};
    double population = 0.0;
    double stay = 0.0;  // [s]
    double busy = 0.0;  // cores, by shares
  };

  [[nodiscard]] std::size_t cores_place(config::EndpointIndex endpoint) const;
  [[nodiscard]] const std::optional<scenario::Servers>& servers(config::EndpointIndex endpoint) const;
  [[nodiscard]] Queue queue_of(const Load& load, const scenario::Servers& cores) const;
  [[nodiscard]] const Targets& targets(config::ServiceIndex service);
  [[nodiscard]] std::vector<Demand> demands(Nanoseconds until, const Judge& judge);
  [[nodiscard]] Demand demand_of(FlowIndex flow, Nanoseconds until);
  [[nodiscard]] double most_tries(FlowIndex flow) const;
  void add(const Demand& demand);
  void raise();

  const scenario::Scenario* scenario_;
  const Flows* flows_;
  const Traffic* traffic_;
  scenario::ActualState actual_;
  std::optional<Upstreams> upstreams_;  // nullopt if every endpoint serves any number of requests at once
  std::vector<double> most_rates_;      // by client entry: of one client, highest ever
  double surprise_ = 0.0;               // -ln of the negligible probability
  Nanoseconds since_{0};
  bool changed_ = true;                              // since the last measurement
  std::vector<double> peak_of_trace_;                // by client entry: requests in one second at most
  std::vector<double> slowness_;                     // by endpoint: the highest so far
  std::vector<ServiceBound> service_;                // by endpoint, at that slowness
  std::vector<Load> now_;                            // by cores_place
  std::vector<Load> most_;                           // by cores_place, so far
  std::map<config::ServiceIndex, Targets> targets_;  // of services that were requested
  std::vector<double> parts_;                        // by endpoint, of the demand being added
};

}  // namespace spillway::run
