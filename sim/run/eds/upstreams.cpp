#include "sim/run/eds/upstreams.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "models/envoy/cluster_state.hpp"
#include "models/envoy/host_health.hpp"
#include "models/envoy/host_set.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::run {

namespace {

// Adds the services that zone proxies among the hosts of `service` forward to, and the services behind those.
void add_behind(const scenario::Scenario& scenario, config::ServiceIndex service,
                std::vector<config::ServiceIndex>& behind) {
  for (const scenario::Host& host : scenario.services[service.value].hosts) {
    if (host.forwards_to && std::find(behind.begin(), behind.end(), *host.forwards_to) == behind.end()) {
      behind.push_back(*host.forwards_to);
      add_behind(scenario, *host.forwards_to, behind);
    }
  }
}

// True if Envoy keeps the host after its removal for as long as it passes its active checks.
bool keeps_removed_host(const scenario::Service& service, config::HostIndex host) {
  if (service.cluster.health_checks.empty() || service.cluster.ignore_health_on_host_removal) {
    return false;
  }
  const config::LbEndpoint* const endpoint = scenario::lb_endpoint_of(service, host);
  return endpoint != nullptr && !endpoint->disable_active_health_check;
}

}  // namespace

Upstreams::Upstreams(const scenario::Scenario& scenario, const Flows& flows)
    : scenario_(&scenario),
      runtime_(scenario.runtime),
      reported_(scenario.zones.size()),
      flows_to_(scenario.services.size()),
      classes_of_(scenario.services.size()) {
  std::map<std::pair<config::ServiceIndex, config::Locality>, std::uint32_t> known;
  for (const scenario::Service& service : scenario.services) {
    endpoints_.push_back(envoy::flat_endpoints(service.load_assignment));
  }
  announce_at_start(flows);
  for (const FlowIndex index : flows.all()) {
    const Flow& flow = flows.at(index);
    const config::NodeIndex node = scenario.clients[flow.client.value].node;
    const config::ZoneIndex zone = scenario.nodes[node.value].zone;
    const config::Locality locality = scenario::locality_of(scenario, node);
    const auto next = static_cast<std::uint32_t>(classes_.size());
    const auto [found, is_new] = known.try_emplace({flow.service, locality}, next);
    if (is_new) {
      add_class(scenario, Class{zone, locality, flow.service, {}, {}, {}, nullptr});
    }
    class_of_flow_.push_back(found->second);
    for (const config::ServiceIndex service : services_of_class(classes_[found->second])) {
      flows_to_[service.value].push_back(index);
    }
  }
}

// Reports services to the clients of a zone: only those that they use, to save memory.
void Upstreams::announce_at_start(const Flows& flows) {
  std::vector<std::set<config::ServiceIndex>> asked(scenario_->zones.size());
  for (const FlowIndex index : flows.all()) {
    const config::NodeIndex node = scenario_->clients[flows.at(index).client.value].node;
    asked[scenario_->nodes[node.value].zone.value].insert(flows.at(index).service);
  }
  for (std::uint32_t zone = 0; zone < asked.size(); ++zone) {
    std::set<config::ServiceIndex> services;
    for (const config::ServiceIndex service : asked[zone]) {
      Class of{{zone}, {}, service, scenario::members_of(*scenario_, service), {}, {}, nullptr};
      for (const config::ServiceIndex member : of.members) {
        add_behind(*scenario_, member, of.behind);
      }
      const std::vector<config::ServiceIndex> all = services_of_class(of);
      services.insert(all.begin(), all.end());
    }
    if (!services.empty()) {
      reported_[zone].emplace(*scenario_, config::ZoneIndex{zone},
                              std::vector<config::ServiceIndex>(services.begin(), services.end()));
    }
  }
}

// Returns the services that the class depends on, including those behind zone proxies; ascending.
std::vector<config::ServiceIndex> Upstreams::services_of_class(const Class& of) const {
  std::vector<config::ServiceIndex> services = of.members;
  services.insert(services.end(), of.behind.begin(), of.behind.end());
  if (scenario_->local_cluster) {
    services.push_back(*scenario_->local_cluster);
  }
  std::sort(services.begin(), services.end());
  services.erase(std::unique(services.begin(), services.end()), services.end());
  return services;
}

void Upstreams::add_class(const scenario::Scenario& scenario, Class of) {
  const auto index = static_cast<std::uint32_t>(classes_.size());
  of.members = scenario::members_of(scenario, of.service);
  of.member_states.resize(of.members.size());
  for (const config::ServiceIndex member : of.members) {
    refresh(of, member);
    add_behind(scenario, member, of.behind);
  }
  std::sort(of.behind.begin(), of.behind.end());
  for (const config::ServiceIndex service : services_of_class(of)) {
    classes_of_[service.value].push_back(index);
  }
  classes_.push_back(std::move(of));
}

bool Upstreams::passes_on(FlowIndex flow, config::ServiceIndex service) const {
  const std::vector<config::ServiceIndex>& behind = class_of(flow).behind;
  return std::binary_search(behind.begin(), behind.end(), service);
}

Upstreams::State Upstreams::state_with(FlowIndex flow, std::size_t member, const State& current, const Own& own) const {
  const Class& of = class_of(flow);
  const config::ServiceIndex service = of.members[member];
  std::optional<envoy::PrioritySet> hosts = beside(of.member_states[member], service, of, own);
  return plain_state(service, of, current, hosts ? *std::move(hosts) : priority_set(service, of, own));
}

Upstreams::State Upstreams::state_over(FlowIndex flow, std::span<const State> member_states) const {
  return state_over(class_of(flow), member_states);
}

bool Upstreams::depends_on(const Class& of, config::ServiceIndex service) const {
  return scenario_->local_cluster == service ||
         std::find(of.members.begin(), of.members.end(), service) != of.members.end();
}

// Before the push is applied.
void Upstreams::note_kept_hosts(const scenario::EdsMembership& push, Removal removal) {
  const scenario::Service& service = scenario_->services[push.service.value];
  if (removal == Removal::at_once && kept_.empty()) {
    return;
  }
  for (std::uint32_t zone = 0; zone < reported_.size(); ++zone) {
    if (!reported_[zone] || !scenario::reaches(push.audience, {zone}) ||
        reported_[zone]->of(push.service).health.size() != service.hosts.size()) {
      continue;
    }
    const scenario::EdsHosts& reported = reported_[zone]->of(push.service);
    std::vector<bool>& kept = kept_[{{zone}, push.service}];
    kept.resize(service.hosts.size(), false);
    for (const config::HostIndex host : push.hosts) {
      const config::HostIndex place = reported.place_of(host);
      const config::HealthStatus health = reported.health[place.value];
      const bool failed = health == config::HealthStatus::unhealthy || health == config::HealthStatus::timeout;
      kept[host.value] = !push.member && removal == Removal::once_a_check_fails && !failed &&
                         keeps_removed_host(service, place) && (kept[host.value] || reported.absent[place.value] == 0);
    }
  }
}

void Upstreams::refresh_after(const std::vector<config::ZoneIndex>& audience, config::ServiceIndex changed) {
  for (const std::uint32_t index : classes_of_[changed.value]) {
    if (scenario::reaches(audience, classes_[index].zone) && depends_on(classes_[index], changed)) {
      refresh(classes_[index], changed);
    }
  }
}

void Upstreams::refresh(Class& of, config::ServiceIndex changed) {
  for (std::size_t member = 0; member < of.members.size(); ++member) {
    const config::ServiceIndex service = of.members[member];
    if (service != changed && scenario_->local_cluster != changed) {
      continue;
    }
    // A child that is listed twice is one cluster, so both places have one state.
    const auto first = std::find(of.members.begin(), of.members.end(), service) - of.members.begin();
    State& state = of.member_states[member];
    state = static_cast<std::size_t>(first) < member ? of.member_states[static_cast<std::size_t>(first)]
                                                     : plain_state(service, of, state, priority_set(service, of, {}));
  }
  of.state = state_over(of, of.member_states);
}

void Upstreams::tell(const config::RuntimeChange& change) {
  ++pushes_;
  config::apply(change, runtime_);
  for (Class& of : classes_) {
    for (std::size_t member = 0; member < of.members.size(); ++member) {
      of.member_states[member] = under_runtime(of, member, of.member_states[member], runtime_);
    }
    of.state = of.state->aggregate ? envoy::over_children(of.state, of.member_states) : of.member_states.front();
  }
}

// Returns the state under new runtime values. They affect picks only if there is a local cluster.
Upstreams::State Upstreams::under_runtime(const Class& of, std::size_t member, const State& current,
                                          const config::Runtime& runtime) const {
  if (!scenario_->local_cluster) {
    return current;
  }
  const envoy::PrioritySet local_cluster = priority_set(*scenario_->local_cluster, of, {});
  return envoy::under_runtime(
      scenario_->services[of.members[member].value].cluster, current,
      {.profile = scenario_->profile.envoy, .runtime = runtime, .local_cluster = &local_cluster});
}

Upstreams::State Upstreams::under_runtime(FlowIndex flow, std::size_t member, const State& current) const {
  return under_runtime(class_of(flow), member, current, runtime_);
}

bool Upstreams::takes_effect(const config::RuntimeChange& change, FlowIndex flow) const {
  config::Runtime next = runtime_;
  config::apply(change, next);
  const Class& of = class_of(flow);
  for (std::size_t member = 0; member < of.members.size(); ++member) {
    if (under_runtime(of, member, of.member_states[member], next) != of.member_states[member]) {
      return true;
    }
  }
  return false;
}

Upstreams::State Upstreams::under_runtime(FlowIndex flow, const State& current,
                                          std::span<const State> member_states) const {
  return class_of(flow).state->aggregate ? envoy::over_children(current, member_states) : member_states.front();
}

Upstreams::State Upstreams::state_over(const Class& of, std::span<const State> member_states) const {
  const envoy::Cluster& cluster = scenario_->services[of.service.value].cluster;
  return cluster.aggregate_clusters.empty()
             ? member_states.front()
             : envoy::refresh_aggregate(cluster, member_states,
                                        {.profile = scenario_->profile.envoy, .runtime = runtime_});
}

envoy::PrioritySet Upstreams::priority_set(config::ServiceIndex service, const Class& of, const Own& own) const {
  const scenario::EdsHosts& reported = reported_[of.zone.value]->of(service);
  std::vector<envoy::HostFlags> flags;
  flags.reserve(reported.health.size());
  for (const config::HealthStatus status : reported.health) {
    flags.push_back(envoy::eds_health_flags(status, scenario_->profile.envoy));
  }
  std::vector<std::uint8_t> absent = reported.absent;
  for (std::uint32_t host = 0; host < own.flags.size(); ++host) {
    const std::uint32_t place = reported.place_of({host}).value;
    flags[place].add(own.flags[host]);
    absent[place] = own.flags[host].has(envoy::HostFlag::pending_dynamic_removal) ? 0 : absent[place];
  }
  if (const auto kept = kept_.find({of.zone, service}); kept != kept_.end()) {
    for (std::uint32_t host = 0; host < kept->second.size(); ++host) {
      if (kept->second[host]) {
        const std::uint32_t place = reported.place_of({host}).value;
        flags[place].set(envoy::HostFlag::pending_dynamic_removal);
        absent[place] = 0;
      }
    }
  }
  std::vector<std::uint32_t> own_weights(own.weights.begin(), own.weights.end());
  for (std::uint32_t host = 0; !own_weights.empty() && host < reported.places.size(); ++host) {
    own_weights[reported.places[host].value] = own.weights[host];
  }
  return envoy::make_priority_set(
      scenario_->services[service.value].load_assignment,
      {.flags = flags,
       .absent = absent,
       .weights = own_weights.empty() ? std::span(reported.weights) : std::span(std::as_const(own_weights)),
       .locality_weights = reported.locality_weights,
       .own_locality = of.locality,
       .profile = scenario_->profile.envoy,
       .endpoints = endpoints_[service.value]});
}

// Returns the hosts of the state reported to all proxies, with a proxy's findings about a few of them; nullopt if all
// hosts must be listed again.
std::optional<envoy::PrioritySet> Upstreams::beside(const State& reported, config::ServiceIndex service,
                                                    const Class& of, const Own& own) const {
  constexpr std::size_t few = 64;
  if (!own.weights.empty()) {
    return std::nullopt;
  }
  const scenario::EdsHosts& hosts = reported_[of.zone.value]->of(service);
  std::vector<envoy::FlagsOfHost> known;
  for (std::uint32_t host = 0; host < own.flags.size() && known.size() <= few; ++host) {
    if (own.flags[host] != envoy::HostFlags{}) {
      const config::HostIndex place = hosts.place_of({host});
      const auto is_same = [place](const envoy::FlagsOfHost& entry) { return entry.host == place; };
      auto entry = std::find_if(known.begin(), known.end(), is_same);
      if (entry == known.end()) {
        entry =
            known.insert(entry, {place, envoy::eds_health_flags(hosts.health[place.value], scenario_->profile.envoy)});
      }
      entry->flags.add(own.flags[host]);
    }
  }
  return known.size() > few ? std::nullopt : envoy::with_flags(reported->hosts, known);
}

Upstreams::State Upstreams::plain_state(config::ServiceIndex service, const Class& of, const State& current,
                                        envoy::PrioritySet hosts) const {
  std::optional<envoy::PrioritySet> local_cluster;
  if (scenario_->local_cluster) {
    local_cluster = priority_set(*scenario_->local_cluster, of, {});
  }
  return envoy::refresh(scenario_->services[service.value].cluster, current.get(), std::move(hosts),
                        {.profile = scenario_->profile.envoy,
                         .runtime = runtime_,
                         .local_cluster = local_cluster ? &*local_cluster : nullptr});
}

}  // namespace spillway::run
