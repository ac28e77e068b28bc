#include "sim/run/upstreams.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "models/envoy/host_health.hpp"

namespace spillway::run {

namespace {

config::Locality locality_of(const scenario::Scenario& scenario, config::NodeIndex index) {
  const scenario::Node& node = scenario.nodes[index.value];
  const scenario::Zone& zone = scenario.zones[node.zone.value];
  return {zone.region, zone.name, node.sub_zone};
}

std::vector<config::HealthStatus> told_at_start(const config::ClusterLoadAssignment& assignment) {
  std::vector<config::HealthStatus> told;
  for (const config::LocalityLbEndpoints& group : assignment.endpoints) {
    for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
      told.push_back(endpoint.health_status);
    }
  }
  return told;
}

}  // namespace

Upstreams::Upstreams(const scenario::Scenario& scenario) : scenario_(&scenario) {
  for (const scenario::Service& service : scenario.services) {
    told_.push_back(told_at_start(service.load_assignment));
  }
  for (const scenario::ClientEntry& entry : scenario.clients) {
    const config::Locality locality = locality_of(scenario, entry.node);
    auto found = std::find_if(classes_.begin(), classes_.end(), [&](const Class& candidate) {
      return candidate.service == entry.workload.service && candidate.locality == locality;
    });
    if (found == classes_.end()) {
      found = classes_.insert(found, Class{locality, entry.workload.service, {}, {}, nullptr});
      found->members = scenario::members_of(scenario, entry.workload.service);
      found->member_states.resize(found->members.size());
      for (const config::ServiceIndex member : found->members) {
        refresh(*found, member);
      }
    }
    class_of_entry_.push_back(static_cast<std::uint32_t>(found - classes_.begin()));
  }
}

void Upstreams::tell(const scenario::TellHealth& change) {
  for (const auto& [host, status] : change.hosts) {
    told_[change.service.value][host.value] = status;
  }
  for (Class& candidate : classes_) {
    refresh(candidate, change.service);
  }
}

Upstreams::State Upstreams::state_without(config::ClientEntryIndex entry, const State& current,
                                          const std::vector<bool>& ejected) const {
  const Class& of = classes_[class_of_entry_[entry.value]];
  return plain_state(of.service, of.locality, current, ejected);
}

void Upstreams::refresh(Class& of, config::ServiceIndex changed) {
  bool affected = false;
  for (std::size_t member = 0; member < of.members.size(); ++member) {
    if (of.members[member] != changed) {
      continue;
    }
    affected = true;
    // A child that is listed twice is one cluster, so both places hold one state.
    const auto first = std::find(of.members.begin(), of.members.end(), changed) - of.members.begin();
    State& state = of.member_states[member];
    state = static_cast<std::size_t>(first) < member ? of.member_states[static_cast<std::size_t>(first)]
                                                     : plain_state(changed, of.locality, state, {});
  }
  if (!affected) {
    return;
  }
  const envoy::Cluster& cluster = scenario_->services[of.service.value].cluster;
  of.state = cluster.aggregate_clusters.empty()
                 ? of.member_states.front()
                 : envoy::refresh_aggregate(cluster, of.member_states, {.profile = scenario_->profile.envoy});
}

envoy::PrioritySet Upstreams::priority_set(config::ServiceIndex service, const config::Locality& own_locality,
                                           const std::vector<bool>& ejected) const {
  std::vector<envoy::HostFlags> flags;
  for (const config::HealthStatus status : told_[service.value]) {
    flags.push_back(envoy::eds_health_flags(status, scenario_->profile.envoy));
  }
  for (std::size_t host = 0; host < ejected.size(); ++host) {
    if (ejected[host]) {
      flags[host].set(envoy::HostFlag::failed_outlier_check);
    }
  }
  return envoy::make_priority_set(scenario_->services[service.value].load_assignment,
                                  {.flags = flags, .own_locality = own_locality, .profile = scenario_->profile.envoy});
}

Upstreams::State Upstreams::plain_state(config::ServiceIndex service, const config::Locality& own_locality,
                                        const State& current, const std::vector<bool>& ejected) const {
  return envoy::refresh(scenario_->services[service.value].cluster, current.get(),
                        priority_set(service, own_locality, ejected), {.profile = scenario_->profile.envoy});
}

}  // namespace spillway::run
