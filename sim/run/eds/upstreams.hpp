// What the proxies have been told of every service, and the balancing state that follows for each class of clients.
//
// Flows of clients that share locality and service are a class: they share one set of host lists, loads and panic
// flags, computed once per change (the documents' CLA cache). What a single proxy knows beside it, its ejections and
// the results of its checks, makes states of its own.
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

#include "sim/run/traffic/flows.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::envoy {
class HostFlags;      // host_health.hpp
struct ClusterState;  // cluster_state.hpp
struct PrioritySet;   // host_set.hpp
}  // namespace spillway::envoy

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::run {

class Upstreams {
 public:
  // Both must outlive this.
  Upstreams(const scenario::Scenario& scenario, const Flows& flows);

  using State = std::shared_ptr<const envoy::ClusterState>;

  // When a host that EDS removes leaves the states of classes. Envoy keeps a host that passes its active checks until
  // one fails: a proxy that is simulated knows so by itself, and has a state of its own; without proxies, in mode
  // exact, all checks pass.
  enum class Removal : std::uint8_t { at_once, once_a_check_fails };

  // What is told changes, and with it the states of the classes that ask for the service or are local to it.
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

  // Runtime values of all proxies change; the hosts that they know stay. under_runtime(): what a state of a proxy's own
  // becomes then, of one of the flow's clusters, or of its service over its clusters.
  void tell(const config::RuntimeChange& change);
  // True if such a change has an effect on the picks of the flow's clients before anything else changes.
  [[nodiscard]] bool takes_effect(const config::RuntimeChange& change, FlowIndex flow) const;
  // How often anybody has been told anything.
  [[nodiscard]] std::uint64_t pushes() const noexcept { return pushes_; }
  [[nodiscard]] State under_runtime(FlowIndex flow, std::size_t member, const State& current) const;
  [[nodiscard]] State under_runtime(FlowIndex flow, const State& current, std::span<const State> member_states) const;

  // Whether such a change reaches the flow's clients and bears on their picks.
  template <class Change>
  [[nodiscard]] bool concerns(const Change& change, FlowIndex flow) const {
    const Class& of = class_of(flow);
    return scenario::reaches(change.audience, of.zone) && depends_on(of, change.service);
  }

  // The flows that a change about this service may concern, and those that reach it through zone proxies. In order.
  [[nodiscard]] const std::vector<FlowIndex>& flows_to(config::ServiceIndex service) const noexcept {
    return flows_to_[service.value];
  }
  // Whether such a flow reaches the service through zone proxies.
  [[nodiscard]] bool passes_on(FlowIndex flow, config::ServiceIndex service) const;

  [[nodiscard]] const State& state(FlowIndex flow) const noexcept { return class_of(flow).state; }

  // The flow's service itself, or an aggregate's children in their order, and their states.
  [[nodiscard]] const std::vector<config::ServiceIndex>& members(FlowIndex flow) const noexcept {
    return class_of(flow).members;
  }
  [[nodiscard]] const State& member_state(FlowIndex flow, std::size_t member) const noexcept {
    return class_of(flow).member_states[member];
  }

  // What a proxy knows of the hosts of a plain cluster besides what it was told, by HostIndex.
  struct Own {
    std::span<const envoy::HostFlags> flags = {};
    std::span<const std::uint32_t> weights = {};  // empty: those that it was told
  };

  // What it sees of the cluster. `current` is what it saw before, which carries stale loads.
  [[nodiscard]] State state_with(FlowIndex flow, std::size_t member, const State& current, const Own& own) const;

  // The state of the flow's service over states of its members that are a proxy's own.
  [[nodiscard]] State state_over(FlowIndex flow, std::span<const State> member_states) const;

  // What the flow's clients have been told of the hosts of a service, by HostIndex.
  [[nodiscard]] const scenario::EdsHosts& reported(FlowIndex flow, config::ServiceIndex service) const noexcept {
    return reported_[class_of(flow).zone.value]->of(service);
  }

  // Which class the flow belongs to, below classes().
  [[nodiscard]] std::uint32_t class_index(FlowIndex flow) const noexcept { return class_of_flow_[flow.value]; }
  [[nodiscard]] std::size_t classes() const noexcept { return classes_.size(); }

 private:
  struct Class {
    config::ZoneIndex zone;
    config::Locality locality;
    config::ServiceIndex service;
    std::vector<config::ServiceIndex> members;  // the service itself, or an aggregate's children in their order
    std::vector<config::ServiceIndex> behind;   // what zone proxies among their hosts forward to, ascending
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
  std::vector<std::optional<scenario::EdsState>> reported_;  // by zone; none where no client is
  std::vector<Class> classes_;
  std::vector<std::uint32_t> class_of_flow_;
  std::vector<std::vector<FlowIndex>> flows_to_;        // by service
  std::vector<std::vector<std::uint32_t>> classes_of_;  // by service: the classes whose flows are flows_to_ it
  std::vector<std::shared_ptr<const std::vector<config::LbEndpoint>>> endpoints_;  // by service; null: no names needed
  // By zone of the proxies and service: by HostIndex, true if EDS has removed the host and its checks keep it.
  std::map<std::pair<config::ZoneIndex, config::ServiceIndex>, std::vector<bool>> kept_;
  std::uint64_t pushes_ = 0;
};

}  // namespace spillway::run
