// Which shares have a closed form, and which depend on load, on what happened before, or on retries: what the state of
// a balancer does not tell (envoy::Circumstances), as the scenario has it up to a moment.
//
//   ClosedForms closed_forms(scenario, flows, traffic, mode);
//   closed_forms.exact_shares(flow, state, {.before = 10s});
//
// - Requests are in flight at once where an endpoint takes time for them, or the way there does, or one has no answer.
// - Retries happen where a route has a policy for something that has begun to fail at an endpoint that gets requests.
// - Endpoints are alike if the scenario says the same of them and of their nodes, and has said so from its beginning:
// then
//   they serve in the same way, and nothing tells them apart but chance. What a proxy has found out about one sets it
//   apart.
//   An endpoint that gives no answers, or that goes while more is asked of its service than that can do, is like no
//   other: what is in flight to it stays there for long, and steers what is picked meanwhile.
// - In mode exact no proxy finds out anything: if checks or ejections would, there is no exact share at all. Whether an
//   endpoint may answer too late, or have no room, follows from the loads that the shares give it (LoadBounds).
//
// Memory: a few bytes for each endpoint. Costs O(endpoints) for each service whenever something has changed; else
// nothing.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/run/exact/endpoint_likeness.hpp"
#include "sim/run/exact/load_bounds.hpp"
#include "sim/run/exact/unsure_parts.hpp"
#include "sim/run/nanoseconds.hpp"
#include "sim/run/traffic/flows.hpp"
#include "sim/run/traffic/targets.hpp"
#include "sim/run/traffic/traffic.hpp"

namespace spillway::envoy {
struct Cluster;       // cluster.hpp
struct ClusterState;  // cluster_state.hpp
}  // namespace spillway::envoy

namespace spillway::run {

class ClosedForms {
 public:
  // All must outlive this.
  ClosedForms(const scenario::Scenario& scenario, const Flows& flows, const Traffic& traffic,
              const Upstreams& upstreams, scenario::Mode mode);

  struct When {
    Nanoseconds before{0};  // changes of the scenario up to then, without those at it; never earlier than asked before
    bool slow_start = false;
    std::optional<bool> retried = {};                 // whether anything was; none: may anything be?
    std::span<const double> slow_start_factors = {};  // as Circumstances
  };

  // As Traffic::exact_shares.
  [[nodiscard]] envoy::ExactShares exact_shares(FlowIndex flow, const envoy::ClusterState& state, const When& when,
                                                std::vector<Traffic::TracedPart>* traced = nullptr);

  // Targets of zone proxies that eject or check what they forward to and, by then, may have changed their picks by it:
  // these targets share what the zone proxy gets, and none has an exact share.
  [[nodiscard]] UnsureParts unsure_parts(const Targets& targets, Nanoseconds before);
  // A zone proxy that is simulated has ejected or failed a host that it forwards this flow to.
  void note_own_state(FlowIndex of_zone_proxy) { own_states_.insert(of_zone_proxy); }

  // Whether the flow's client has ever sent anything before that moment. Apart from that, flows whose requests are of
  // one class (Traffic::class_of) have the same shares in the same state.
  [[nodiscard]] bool sends(FlowIndex flow, Nanoseconds before) {
    advance(before);
    return sends_[flows_->at(flow).client.value];
  }

  // Whether the flow's proxies check hosts by themselves, which then begin slow start at moments of their own.
  [[nodiscard]] bool checks(FlowIndex flow) const;

  // A proxy has found out something about the endpoint.
  void set_apart(config::EndpointIndex endpoint) { likeness_.set_apart(endpoint); }

 private:
  // What has begun to fail, as far as a retry policy tells it apart.
  struct Failures {
    bool refused = false;   // no connection
    bool broken = false;    // the connection broke off
    bool silent = false;    // no answer
    bool overfull = false;  // an endpoint's queue may be full
    bool late = false;      // an endpoint's answer may come after a timeout of the request
    bool late_try = false;  // or of one try
    std::vector<std::uint32_t> statuses = {};
    bool checks = false;   // active checks get other answers
    double longest = 0.0;  // [s] that an answer takes
    // The first endpoint that fails of itself (infinity), or the busiest one that may be overfull or late.
    double suspicion = -1.0;  // its utilisation
    config::EndpointIndex suspect = {};

    void add(const Failures& other);
    // Whatever the load.
    [[nodiscard]] bool any_of_itself() const noexcept { return refused || broken || silent || !statuses.empty(); }
    [[nodiscard]] bool any() const noexcept { return any_of_itself() || overfull || late; }
  };

  // How long a flow's requests are waited for [s], infinity if for ever; and which circuit breakers count for them.
  struct FlowTraits {
    double answer;
    double one_try;                       // of those that are tried again
    std::array<bool, 2> priorities = {};  // by RoutingPriority
  };

  // What holds for everyone who asks for the service.
  struct OfService {
    std::uint64_t changes = 0;  // how many had happened
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
  std::vector<Failures> failures_;   // by endpoint
  std::vector<double> slowness_;     // by endpoint
  std::vector<FlowTraits> traits_;   // by flow
  std::optional<LoadBounds> loads_;  // in mode exact, if anything is found out or tried again
  bool unlinked_ = false;            // a link has been off
  Nanoseconds longest_way_{0};       // over one link, one way
  std::vector<bool> sends_;          // by client entry
  std::vector<double> rates_;        // by client entry: the most that all its clients together have sent a second
  std::map<config::ServiceIndex, OfService> services_;
};

}  // namespace spillway::run
