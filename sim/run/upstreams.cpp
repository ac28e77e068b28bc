#include "sim/run/upstreams.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "models/envoy/host_health.hpp"

namespace spillway::run {

namespace {

config::Locality locality_of(const scenario::Scenario& scenario, config::NodeIndex index) {
  const scenario::Node& node = scenario.nodes[index.value];
  const scenario::Zone& zone = scenario.zones[node.zone.value];
  return {zone.region, zone.name, node.sub_zone};
}

Upstreams::Told told_at_start(const scenario::Service& service) {
  Upstreams::Told told;
  for (const config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
    for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
      told.health.push_back(endpoint.health_status);
    }
  }
  told.absent.resize(told.health.size(), 0);
  for (const config::HostIndex host : service.absent_at_start) {
    told.absent[host.value] = 1;
  }
  return told;
}

}  // namespace

Upstreams::Upstreams(const scenario::Scenario& scenario, const Flows& flows)
    : scenario_(&scenario), told_(scenario.zones.size()) {
  for (const scenario::Service& service : scenario.services) {
    endpoints_.push_back(envoy::flat_endpoints(service.load_assignment));
  }
  for (const FlowIndex index : flows.all()) {
    const Flow& flow = flows.at(index);
    const config::NodeIndex node = scenario.clients[flow.client.value].node;
    const config::ZoneIndex zone = scenario.nodes[node.value].zone;
    if (told_[zone.value].empty()) {
      for (const scenario::Service& service : scenario.services) {
        told_[zone.value].push_back(told_at_start(service));
      }
    }
    const config::Locality locality = locality_of(scenario, node);
    auto found = std::find_if(classes_.begin(), classes_.end(), [&](const Class& candidate) {
      return candidate.service == flow.service && candidate.locality == locality;
    });
    if (found == classes_.end()) {
      found = classes_.insert(found, Class{zone, locality, flow.service, {}, {}, nullptr});
      found->members = scenario::members_of(scenario, flow.service);
      found->member_states.resize(found->members.size());
      for (const config::ServiceIndex member : found->members) {
        refresh(*found, member);
      }
    }
    class_of_flow_.push_back(static_cast<std::uint32_t>(found - classes_.begin()));
  }
}

void Upstreams::tell(const scenario::TellHealth& change) {
  for (std::uint32_t zone = 0; zone < told_.size(); ++zone) {
    if (told_[zone].empty() || !reaches(change.audience, {zone})) {
      continue;
    }
    for (const auto& [host, status] : change.hosts) {
      told_[zone][change.service.value].health[host.value] = status;
    }
  }
  refresh_after(change.audience, change.service);
}

void Upstreams::tell(const scenario::TellMembership& change) {
  for (std::uint32_t zone = 0; zone < told_.size(); ++zone) {
    if (told_[zone].empty() || !reaches(change.audience, {zone})) {
      continue;
    }
    for (const config::HostIndex host : change.hosts) {
      told_[zone][change.service.value].absent[host.value] = change.member ? 0 : 1;
    }
  }
  refresh_after(change.audience, change.service);
}

Upstreams::State Upstreams::state_with(FlowIndex flow, std::size_t member, const State& current, const Own& own) const {
  const Class& of = class_of(flow);
  return plain_state(of.members[member], of, current, own);
}

Upstreams::State Upstreams::state_over(FlowIndex flow, std::span<const State> member_states) const {
  return state_over(class_of(flow), member_states);
}

bool Upstreams::reaches(const std::vector<config::ZoneIndex>& audience, config::ZoneIndex zone) {
  return audience.empty() || std::find(audience.begin(), audience.end(), zone) != audience.end();
}

bool Upstreams::depends_on(const Class& of, config::ServiceIndex service) const {
  return scenario_->local_cluster == service ||
         std::find(of.members.begin(), of.members.end(), service) != of.members.end();
}

void Upstreams::refresh_after(const std::vector<config::ZoneIndex>& audience, config::ServiceIndex changed) {
  for (Class& of : classes_) {
    if (reaches(audience, of.zone) && depends_on(of, changed)) {
      refresh(of, changed);
    }
  }
}

void Upstreams::refresh(Class& of, config::ServiceIndex changed) {
  for (std::size_t member = 0; member < of.members.size(); ++member) {
    const config::ServiceIndex service = of.members[member];
    if (service != changed && scenario_->local_cluster != changed) {
      continue;
    }
    // A child that is listed twice is one cluster, so both places hold one state.
    const auto first = std::find(of.members.begin(), of.members.end(), service) - of.members.begin();
    State& state = of.member_states[member];
    state = static_cast<std::size_t>(first) < member ? of.member_states[static_cast<std::size_t>(first)]
                                                     : plain_state(service, of, state, {});
  }
  of.state = state_over(of, of.member_states);
}

Upstreams::State Upstreams::state_over(const Class& of, std::span<const State> member_states) const {
  const envoy::Cluster& cluster = scenario_->services[of.service.value].cluster;
  return cluster.aggregate_clusters.empty()
             ? member_states.front()
             : envoy::refresh_aggregate(cluster, member_states,
                                        {.profile = scenario_->profile.envoy, .runtime = scenario_->runtime});
}

envoy::PrioritySet Upstreams::priority_set(config::ServiceIndex service, const Class& of, const Own& own) const {
  const Told& told = told_[of.zone.value][service.value];
  std::vector<envoy::HostFlags> flags;
  flags.reserve(told.health.size());
  for (const config::HealthStatus status : told.health) {
    flags.push_back(envoy::eds_health_flags(status, scenario_->profile.envoy));
  }
  std::vector<std::uint8_t> absent = told.absent;
  for (std::size_t host = 0; host < own.flags.size(); ++host) {
    flags[host].add(own.flags[host]);
    absent[host] = own.flags[host].has(envoy::HostFlag::pending_dynamic_removal) ? 0 : absent[host];
  }
  return envoy::make_priority_set(scenario_->services[service.value].load_assignment,
                                  {.flags = flags,
                                   .absent = absent,
                                   .weights = own.weights,
                                   .own_locality = of.locality,
                                   .profile = scenario_->profile.envoy,
                                   .endpoints = endpoints_[service.value]});
}

Upstreams::State Upstreams::plain_state(config::ServiceIndex service, const Class& of, const State& current,
                                        const Own& own) const {
  std::optional<envoy::PrioritySet> local_cluster;
  if (scenario_->local_cluster) {
    local_cluster = priority_set(*scenario_->local_cluster, of, {});
  }
  return envoy::refresh(scenario_->services[service.value].cluster, current.get(), priority_set(service, of, own),
                        {.profile = scenario_->profile.envoy,
                         .runtime = scenario_->runtime,
                         .local_cluster = local_cluster ? &*local_cluster : nullptr});
}

}  // namespace spillway::run
