// The state of every service as reported by EDS, and the resulting balancing state of each class of clients.
//
// Flows of clients with the same locality and service are a class: they share one set of host lists, loads and panic
// flags, computed once per change (the documents' CLA cache). A proxy's own findings, its ejections and check results,
// lead to states of its own.
//
//   Upstreams upstreams(scenario, flows);
//   upstreams.tell(change);                            // an EDS push
//   upstreams.state(flow);                             // of all proxies of a flow that know nothing of their own
//   upstreams.state_with(flow, member, current, own);  // of one that does, for one of the flow's clusters
//   upstreams.state_over(flow, members);               // and of the flow's service over its clusters
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/envoy/forward.hpp"
#include "sim/run/forward.hpp"
#include "sim/run/traffic/flows.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::run {

class Upstreams {
 public:
  // Lifetime: both arguments must outlive this object.
  Upstreams(const scenario::Scenario& scenario, const Flows& flows);

  using State = BalancingState;

  // When a host that EDS removes leaves the states of classes. Envoy keeps a host that passes its active checks until
  // one fails: a proxy that is simulated knows so by itself, and has a state of its own; without proxies, in mode
  // exact, all checks pass.
  enum class Removal : std::uint8_t { at_once, once_a_check_fails };

  // Applies an EDS change and updates the states of the classes that use the service or are local to it.
  template <class Change>
  void tell(const Change& change, Removal removal = Removal::at_once) {
    if constexpr (std::is_same_v<Change, scenario::EdsMembership>) {
      note_kept_hosts(change, removal);
    }
    for (std::optional<scenario::EdsState>& reported : reported_) {
      if (reported) {
        reported->apply(change);
      }
    }
    ++pushes_;
    refresh_after(change.audience, change.service);
  }

  // Applies new runtime values of all proxies; their hosts do not change. under_runtime() applies the current runtime
  // values to a proxy's own state: that of one of the flow's clusters, or of its service over its clusters.
  void tell(const config::RuntimeChange& change);
  // True if new runtime values affect the picks of the flow's clients before anything else changes.
  [[nodiscard]] bool takes_effect(const config::RuntimeChange& change, FlowIndex flow) const;
  // Returns the number of changes applied.
  [[nodiscard]] std::uint64_t pushes() const noexcept { return pushes_; }
  [[nodiscard]] State under_runtime(FlowIndex flow, std::size_t member, const State& current) const;
  [[nodiscard]] State under_runtime(FlowIndex flow, const State& current, std::span<const State> member_states) const;

  // True if a push reaches the flow's clients and affects their picks.
  template <class Change>
  [[nodiscard]] bool concerns(const Change& change, FlowIndex flow) const {
    const Class& of = class_of(flow);
    return scenario::reaches(change.audience, of.zone) && depends_on(of, change.service);
  }

  // Returns the flows that a change of this service may concern, including those that reach it through zone proxies. In
  // order.
  [[nodiscard]] const std::vector<FlowIndex>& flows_to(config::ServiceIndex service) const noexcept {
    return flows_to_[service.value];
  }
  // True if the flow reaches the service through zone proxies.
  [[nodiscard]] bool passes_on(FlowIndex flow, config::ServiceIndex service) const;

  [[nodiscard]] const State& state(FlowIndex flow) const noexcept { return class_of(flow).state; }

  // Returns the flow's service itself, or an aggregate's children in their order. member_state() returns their states.
  [[nodiscard]] const std::vector<config::ServiceIndex>& members(FlowIndex flow) const noexcept {
    return class_of(flow).members;
  }
  [[nodiscard]] const State& member_state(FlowIndex flow, std::size_t member) const noexcept {
    return class_of(flow).member_states[member];
  }

  // A proxy's own knowledge of the hosts of a plain cluster, in addition to EDS, by HostIndex.
  struct Own {
    std::span<const envoy::HostFlags> flags = {};
    std::span<const std::uint32_t> weights = {};  // empty if as reported by EDS
  };

  // Returns the proxy's own state of the cluster. `current` is its previous state, which carries stale loads.
  [[nodiscard]] State state_with(FlowIndex flow, std::size_t member, const State& current, const Own& own) const;

  // Returns the state of the flow's service over a proxy's own states of its members.
  [[nodiscard]] State state_over(FlowIndex flow, std::span<const State> member_states) const;

  // Returns what EDS has reported to the flow's clients about the hosts of a service, by HostIndex.
  [[nodiscard]] const scenario::EdsHosts& reported(FlowIndex flow, config::ServiceIndex service) const noexcept {
    return reported_[class_of(flow).zone.value]->of(service);
  }

  // Returns the class of the flow, less than classes().
  [[nodiscard]] std::uint32_t class_index(FlowIndex flow) const noexcept { return class_of_flow_[flow.value]; }
  [[nodiscard]] std::size_t classes() const noexcept { return classes_.size(); }

 private:
  struct Class {
    config::ZoneIndex zone;
    config::Locality locality;
    config::ServiceIndex service;
    std::vector<config::ServiceIndex> members;  // the service itself, or an aggregate's children in their order
    std::vector<config::ServiceIndex> behind;   // services that zone proxies among their hosts forward to, ascending
    std::vector<State> member_states;
    State state;
  };

  void note_kept_hosts(const scenario::EdsMembership& push, Removal removal);
  [[nodiscard]] bool depends_on(const Class& of, config::ServiceIndex service) const;
  [[nodiscard]] std::vector<config::ServiceIndex> services_of_class(const Class& of) const;
  void announce_at_start(const Flows& flows);
  void add_class(const scenario::Scenario& scenario, Class of);
  void refresh_after(const std::vector<config::ZoneIndex>& audience, config::ServiceIndex changed);
  void refresh(Class& of, config::ServiceIndex changed);
  [[nodiscard]] const Class& class_of(FlowIndex flow) const noexcept { return classes_[class_of_flow_[flow.value]]; }
  [[nodiscard]] envoy::PrioritySet priority_set(config::ServiceIndex service, const Class& of, const Own& own) const;
  [[nodiscard]] std::optional<envoy::PrioritySet> beside(const State& reported, config::ServiceIndex service,
                                                         const Class& of, const Own& own) const;
  [[nodiscard]] State plain_state(config::ServiceIndex service, const Class& of, const State& current,
                                  envoy::PrioritySet hosts) const;
  [[nodiscard]] State under_runtime(const Class& of, std::size_t member, const State& current,
                                    const config::Runtime& runtime) const;
  [[nodiscard]] State state_over(const Class& of, std::span<const State> member_states) const;

  const scenario::Scenario* scenario_;
  config::Runtime runtime_;
  std::vector<std::optional<scenario::EdsState>> reported_;  // by zone; nullopt for zones without clients
  std::vector<Class> classes_;
  std::vector<std::uint32_t> class_of_flow_;
  std::vector<std::vector<FlowIndex>> flows_to_;        // by service
  std::vector<std::vector<std::uint32_t>> classes_of_;  // by service: the classes of its flows_to_
  std::vector<std::shared_ptr<const std::vector<config::LbEndpoint>>> endpoints_;  // by service; null if unnamed
  // By zone of the proxies and service: by HostIndex, true if EDS has removed the host and its checks keep it.
  std::map<std::pair<config::ZoneIndex, config::ServiceIndex>, std::vector<bool>> kept_;
  std::uint64_t pushes_ = 0;
};

}  // namespace spillway::run
