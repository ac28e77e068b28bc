// What the proxies have been told of every service, and the balancing state that follows for each class of clients.
//
// Clients that share locality and service are a class: they share one set of host lists, loads and panic flags,
// computed once per change (the documents' CLA cache). What a single proxy knows beside it, its ejections, makes a
// state of its own.
//
//   Upstreams upstreams(scenario);
//   upstreams.tell(change);                           // an EDS push
//   upstreams.state(entry);                           // of all proxies of a client entry that eject nobody
//   upstreams.state_without(entry, current, ejected);  // of one that ejects some
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/envoy/load_balancer.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::run {

class Upstreams {
 public:
  explicit Upstreams(const scenario::Scenario& scenario);

  using State = std::shared_ptr<const envoy::ClusterState>;

  // The told health changes, and with it the states of the classes that ask for the service.
  void tell(const scenario::TellHealth& change);

  [[nodiscard]] const State& state(config::ClientEntryIndex entry) const noexcept {
    return classes_[class_of_entry_[entry.value]].state;
  }

  // What a proxy of this entry sees that has also ejected some hosts of a plain cluster (by HostIndex). `current` is
  // what it saw before.
  [[nodiscard]] State state_without(config::ClientEntryIndex entry, const State& current,
                                    const std::vector<bool>& ejected) const;

  // By HostIndex of the service's load assignment.
  [[nodiscard]] const std::vector<config::HealthStatus>& told(config::ServiceIndex service) const noexcept {
    return told_[service.value];
  }

  [[nodiscard]] std::size_t classes() const noexcept { return classes_.size(); }

 private:
  struct Class {
    config::Locality locality;
    config::ServiceIndex service;
    std::vector<config::ServiceIndex> members;  // the service itself, or an aggregate's children in their order
    std::vector<State> member_states;
    State state;
  };

  void refresh(Class& of, config::ServiceIndex changed);
  [[nodiscard]] envoy::PrioritySet priority_set(config::ServiceIndex service, const config::Locality& own_locality,
                                                const std::vector<bool>& ejected) const;
  [[nodiscard]] State plain_state(config::ServiceIndex service, const config::Locality& own_locality,
                                  const State& current, const std::vector<bool>& ejected) const;

  const scenario::Scenario* scenario_;
  std::vector<std::vector<config::HealthStatus>> told_;  // by service, by host
  std::vector<Class> classes_;
  std::vector<std::uint32_t> class_of_entry_;
};

}  // namespace spillway::run
