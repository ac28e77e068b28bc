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

  // What is told changes, and with it the states of the classes that ask for the service or are local to it.
  void tell(const scenario::TellHealth& change);
  void tell(const scenario::TellMembership& change);

  // Whether such a change reaches the entry's clients and bears on their picks.
  template <class Change>
  [[nodiscard]] bool concerns(const Change& change, config::ClientEntryIndex entry) const {
    const Class& of = classes_[class_of_entry_[entry.value]];
    return reaches(change.audience, of.zone) && depends_on(of, change.service);
  }

  [[nodiscard]] const State& state(config::ClientEntryIndex entry) const noexcept {
    return classes_[class_of_entry_[entry.value]].state;
  }

  // What a proxy of this entry sees that has also ejected some hosts of a plain cluster (by HostIndex). `current` is
  // what it saw before.
  [[nodiscard]] State state_without(config::ClientEntryIndex entry, const State& current,
                                    const std::vector<bool>& ejected) const;

  // What the entry's clients have been told of the hosts of a service, by HostIndex.
  struct Told {
    std::vector<config::HealthStatus> health;
    std::vector<std::uint8_t> absent;  // not 0: no member of the endpoint set
  };
  [[nodiscard]] const Told& told(config::ClientEntryIndex entry, config::ServiceIndex service) const noexcept {
    return told_[classes_[class_of_entry_[entry.value]].zone.value][service.value];
  }

  [[nodiscard]] std::size_t classes() const noexcept { return classes_.size(); }

 private:
  struct Class {
    config::ZoneIndex zone;
    config::Locality locality;
    config::ServiceIndex service;
    std::vector<config::ServiceIndex> members;  // the service itself, or an aggregate's children in their order
    std::vector<State> member_states;
    State state;
  };

  [[nodiscard]] static bool reaches(const std::vector<config::ZoneIndex>& audience, config::ZoneIndex zone);
  [[nodiscard]] bool depends_on(const Class& of, config::ServiceIndex service) const;
  void refresh_after(const std::vector<config::ZoneIndex>& audience, config::ServiceIndex changed);
  void refresh(Class& of, config::ServiceIndex changed);
  [[nodiscard]] envoy::PrioritySet priority_set(config::ServiceIndex service, const Class& of,
                                                const std::vector<bool>& ejected) const;
  [[nodiscard]] State plain_state(config::ServiceIndex service, const Class& of, const State& current,
                                  const std::vector<bool>& ejected) const;

  const scenario::Scenario* scenario_;
  std::vector<std::vector<Told>> told_;  // by zone (none where no client is), by service
  std::vector<Class> classes_;
  std::vector<std::uint32_t> class_of_entry_;
};

}  // namespace spillway::run
