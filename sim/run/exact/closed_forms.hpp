// Decides which shares have a closed form. The others depend on load, on the past or on retries: on more than a
// balancer's state (envoy::Circumstances). Evaluates the scenario up to a time.
//
//   ClosedForms closed_forms(scenario, flows, traffic, mode);
//   closed_forms.exact_shares(flow, state, {.before = 10s});
//
// - Requests are in flight together if an endpoint takes time for them, or its path does, or one gets no response.
// - Retries happen if a route has a policy for something that has begun to fail at an endpoint that gets requests.
// - Endpoints are alike if the scenario has described them and their nodes equally from its beginning. They then serve
// in the same way, and only chance distinguishes them. A proxy's finding about an endpoint sets it apart. Also set
// apart are an endpoint that gives no responses, and one that goes while its service is overloaded. Requests in flight
// to it stay long, and influence the picks meanwhile.
// - In mode exact no proxy finds out anything: if checks or ejections would, there is no exact share at all. LoadBounds
// derives from the loads of the shares whether an endpoint may answer too late or have a full queue.
//
// Memory: a few bytes per endpoint. O(endpoints) per service after each change; otherwise free.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/envoy/forward.hpp"
#include "sim/run/exact/endpoint_likeness.hpp"
#include "sim/run/exact/exact_mean.hpp"
#include "sim/run/nanoseconds.hpp"
#include "sim/run/traffic/flows.hpp"
#include "sim/run/traffic/targets.hpp"
#include "sim/scenario/mode.hpp"

namespace spillway::run {

class LoadBounds;   // load_bounds.hpp
struct TracedPart;  // traced_part.hpp
class Traffic;      // traffic.hpp
class Upstreams;    // upstreams.hpp

class ClosedForms {
 public:
  // Lifetime: all arguments must outlive this object.
  ClosedForms(const scenario::Scenario& scenario, const Flows& flows, const Traffic& traffic,
              const Upstreams& upstreams, scenario::Mode mode);
  ~ClosedForms();
  ClosedForms(const ClosedForms&) = delete;
  ClosedForms& operator=(const ClosedForms&) = delete;

  struct When {
    Nanoseconds before{0};  // changes of the scenario before this time, without those at it; never decreases
                            // calls
    bool slow_start = false;
    std::optional<bool> retried = {};  // true if any request was retried; nullopt to decide by the policies
    std::span<const double> slow_start_factors = {};  // as Circumstances
  };

  // Returns the shares as Traffic::exact_shares does.
  [[nodiscard]] envoy::ExactShares exact_shares(FlowIndex flow, const envoy::ClusterState& state, const When& when,
                                                std::vector<TracedPart>* traced = nullptr);

  // The targets of zone proxies that eject or check the hosts behind them and may have changed their picks by then.
  // These targets divide the zone proxy's requests; none of them has an exact share.
  [[nodiscard]] UnsureParts unsure_parts(const Targets& targets, Nanoseconds before);
  // A zone proxy that is simulated has ejected or failed a host that it forwards this flow to.
  void note_own_state(FlowIndex of_zone_proxy) { own_states_.insert(of_zone_proxy); }

  // True if the flow's client has ever sent anything before that time. Apart from that, flows with requests of one
  // class (Traffic::class_of) have the same shares in the same state.
  [[nodiscard]] bool sends(FlowIndex flow, Nanoseconds before) {
    advance(before);
    return sends_[flows_->at(flow).client.value];
  }

  // True if the flow's proxies check hosts themselves: hosts then begin slow start at each proxy's own times.
  [[nodiscard]] bool checks(FlowIndex flow) const;

  // Records that a proxy has detected something about the endpoint.
  void set_apart(config::EndpointIndex endpoint) { likeness_.set_apart(endpoint); }

 private:
  // The failures that have begun, in the categories of retry policies.
  struct Failures {
    bool refused = false;   // no connection
    bool broken = false;    // the connection broke off
    bool silent = false;    // no response
    bool overfull = false;  // an endpoint's queue may be full
    bool late = false;      // an endpoint's response may come after a timeout of the request
    bool late_try = false;  // or of one try
    std::vector<std::uint32_t> statuses = {};
    bool checks = false;   // active checks get other responses
    double longest = 0.0;  // [s] that a response takes
    // The first endpoint that fails at any load (infinity), or the busiest one that may be overfull or late.
    double suspicion = -1.0;  // its utilisation
    config::EndpointIndex suspect = {};

    void add(const Failures& other);
    // Failures at any load.
    [[nodiscard]] bool any_of_itself() const noexcept { return refused || broken || silent || !statuses.empty(); }
    [[nodiscard]] bool any() const noexcept { return any_of_itself() || overfull || late; }
  };

  // The time that a flow's responses are awaited [s], infinity if for ever; and the circuit breakers that count its
  // requests.
  struct FlowTraits {
    double answer;
    double one_try;                       // of requests that may be retried
    std::array<bool, 2> priorities = {};  // by RoutingPriority
  };

  // Properties of a service that are the same for all its clients.
  struct OfService {
    std::uint64_t changes = 0;  // number of changes applied when computed
    bool takes_time = false;
    std::vector<bool> zones = {};  // of endpoints, by zone
    Failures failures = {};
    std::optional<Targets> targets = {};
    std::vector<std::uint32_t> alike = {};  // as Circumstances
  };

  void advance(Nanoseconds before);
  void measure_loads(Nanoseconds until);
  [[nodiscard]] std::vector<FlowTraits> traits_of_flows() const;
  [[nodiscard]] std::string_view limit_that_shuts(FlowIndex flow) const;
  void apply(const scenario::Change& change);
  [[nodiscard]] const OfService& of_service(config::ServiceIndex service);
  void refresh(OfService& of, config::ServiceIndex service);
  [[nodiscard]] std::vector<std::uint32_t> alike(config::ServiceIndex service, bool overloaded);
  [[nodiscard]] bool loaded(FlowIndex flow, const OfService& of) const;
  [[nodiscard]] Failures failures_of_picks(FlowIndex flow, const OfService& of, const envoy::ExactShares& picks) const;
  [[nodiscard]] std::string why_unsure(FlowIndex of_zone_proxy, config::EndpointIndex proxy);
  void add_endpoint(Failures& failures, config::EndpointIndex endpoint, const FlowTraits& traits) const;
  [[nodiscard]] bool retries(FlowIndex flow, const Failures& failures) const;
  [[nodiscard]] bool watches(FlowIndex flow) const;
  [[nodiscard]] bool blames_overflow(FlowIndex flow, const envoy::Cluster& cluster, double longest) const;
  [[nodiscard]] bool finds_out(FlowIndex flow, const Failures& failures) const;
  [[nodiscard]] std::string why_unknown(const Failures& failures) const;
  [[nodiscard]] bool lacks_pools(FlowIndex flow) const;
  [[nodiscard]] bool reports_loads(config::ServiceIndex service) const;

  const scenario::Scenario* scenario_;
  const Flows* flows_;
  const Traffic* traffic_;
  const Upstreams* upstreams_;
  scenario::Mode mode_;
  std::set<FlowIndex> own_states_;  // as note_own_state()
  std::uint64_t applied_ = 0;       // changes of the scenario
  EndpointLikeness likeness_;
  std::vector<Failures> failures_;     // by endpoint
  std::vector<double> slowness_;       // by endpoint
  std::vector<FlowTraits> traits_;     // by flow
  std::unique_ptr<LoadBounds> loads_;  // in mode exact, if proxies may eject, check or retry; else null
  bool unlinked_ = false;              // a link has been off
  Nanoseconds longest_way_{0};         // over one link, one way
  std::vector<bool> sends_;            // by client entry
  std::vector<double> rates_;          // by client entry: the highest rate of all its clients together, per second
  std::map<config::ServiceIndex, OfService> services_;
};

}  // namespace spillway::run
