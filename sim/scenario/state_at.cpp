#include "sim/scenario/state_at.hpp"

#include <algorithm>
#include <type_traits>
#include <variant>

#include "models/config/each_endpoint.hpp"
#include "models/config/seconds.hpp"
#include "models/envoy/policies/registry.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::scenario {
namespace {

// Visits the effects up to and including `at`.
template <class Visit>
void for_each_effect_until(const Scenario& scenario, Nanoseconds at, Visit visit) {
  for (const Change& change : scenario.changes) {
    if (change.at > at) {
      return;
    }
    std::visit([&](const auto& effect) { visit(effect, change.at); }, change.effect);
  }
}

std::uint32_t first_other_place(const Service& service) {
  return static_cast<std::uint32_t>(service.hosts.size() - service.other_places.size());
}

// Visits the host itself and its other places at other priorities.
template <class Visit>
void for_each_place(const Service& service, config::HostIndex host, Visit visit) {
  const config::HostIndex same = same_host(service, host);
  visit(same);
  config::HostIndex other{first_other_place(service)};
  for (const OtherPlace& place : service.other_places) {
    if (place.of == same) {
      visit(other);
    }
    ++other.value;
  }
}

EdsHosts reported_at_start(const Service& service) {
  EdsHosts reported;
  config::for_each_endpoint(service.load_assignment, [&](config::HostIndex, const config::LbEndpoint& endpoint) {
    reported.health.push_back(endpoint.health_status);
  });
  reported.absent.resize(reported.health.size(), 0);
  for (const config::HostIndex host : service.absent_at_start) {
    reported.absent[host.value] = 1;
  }
  for (std::uint32_t host = 0; !service.other_places.empty() && host < first_other_place(service); ++host) {
    reported.places.push_back({host});
  }
  return reported;
}

// Returns the host's place at the priority; its first place if it has none there.
config::HostIndex place_at(const Service& service, config::HostIndex host, config::Priority priority) {
  config::HostIndex at = host;
  config::HostIndex other{first_other_place(service)};
  for (const OtherPlace& place : service.other_places) {
    at = place.of == host && place.priority == priority ? other : at;
    ++other.value;
  }
  return at;
}

std::vector<std::uint32_t> weights_at_start(const Service& service) {
  std::vector<std::uint32_t> weights;
  config::for_each_endpoint(service.load_assignment, [&](config::HostIndex, const config::LbEndpoint& endpoint) {
    weights.push_back(endpoint.load_balancing_weight);
  });
  return weights;
}

}  // namespace

double ClientRate::at(Nanoseconds time) const noexcept {
  return rate + slope * config::seconds(time - since);
}

ActualState::ActualState(const Scenario& scenario)
    : scenario_(&scenario), endpoints_(scenario.endpoints.size()), nodes_on_(scenario.nodes.size(), true) {
  for (const Service& service : scenario.services) {
    for (const config::HostIndex host : service.absent_at_start) {
      const Host& absent = service.hosts[host.value];
      if (host.value >= first_other_place(service)) {
        continue;
      }
      // A zone proxy exists even while it has nothing to forward to.
      endpoints_[absent.endpoint.value].exists = absent.forwards_to.has_value();
    }
  }
  for (const Link& link : scenario.links) {
    links_.push_back({.latency = link.latency});
  }
  for (const ClientEntry& client : scenario.clients) {
    rates_.push_back({.rate = client.workload.rate, .slope = client.workload.slope});
  }
}

template <class OfHosts>
void ActualState::for_each(const OfHosts& effect, auto change) {
  for (const config::HostIndex host : effect.hosts) {
    change(endpoints_[endpoint_index(*scenario_, effect.service, host).value]);
  }
}

void ActualState::apply(const Existence& effect, Nanoseconds /*at*/) {
  for_each(effect, [&](EndpointState& endpoint) { endpoint.exists = effect.exists; });
}

void ActualState::apply(const NodeOutage& effect, Nanoseconds /*at*/) {
  nodes_on_[effect.node.value] = effect.on;
}

void ActualState::apply(const LinkChange& effect, Nanoseconds /*at*/) {
  LinkState& link = links_[effect.link.value];
  link.latency = effect.latency.value_or(link.latency);
  link.on = effect.on.value_or(link.on);
}

void ActualState::apply(const Fails& effect, Nanoseconds /*at*/) {
  for_each(effect, [&](EndpointState& endpoint) {
    endpoint.failing = {effect.fraction, effect.failure, effect.status, effect.every, effect.checks};
  });
}

void ActualState::apply(const AnswersChecks& effect, Nanoseconds /*at*/) {
  for_each(effect, [&](EndpointState& endpoint) {
    endpoint.check_answer = effect.answer;
    endpoint.check_status = effect.status;
  });
}

void ActualState::apply(const Slow& effect, Nanoseconds /*at*/) {
  for_each(effect, [&](EndpointState& endpoint) { endpoint.slowness = effect.slowness; });
}

void ActualState::apply(const RateChange& effect, Nanoseconds at) {
  rates_[effect.client.value] = {effect.rate, effect.slope, at};
}

double ActualState::rate(config::ClientEntryIndex client, Nanoseconds time) const noexcept {
  const ClientEntry& entry = scenario_->clients[client.value];
  const std::uint32_t sending = clients_on(entry, [this](config::NodeIndex node) { return is_on(node); });
  return std::max(0.0, of(client).at(time)) * (static_cast<double>(sending) / entry.count);
}

EdsState::EdsState(const Scenario& scenario, std::optional<config::ZoneIndex> zone)
    : scenario_(&scenario), zone_(zone) {
  services_.reserve(scenario.services.size());
  for (const Service& service : scenario.services) {
    services_.push_back(reported_at_start(service));
  }
}

EdsState::EdsState(const Scenario& scenario, std::optional<config::ZoneIndex> zone,
                   std::span<const config::ServiceIndex> services)
    : scenario_(&scenario), zone_(zone), services_(scenario.services.size()) {
  for (const config::ServiceIndex service : services) {
    services_[service.value] = reported_at_start(scenario.services[service.value]);
  }
}

bool EdsState::reached_by(const std::vector<config::ZoneIndex>& audience) const {
  return zone_ ? reaches(audience, *zone_) : audience.empty();
}

template <class Push>
bool EdsState::takes(const Push& push) const {
  return reached_by(push.audience) &&
         services_[push.service.value].health.size() == scenario_->services[push.service.value].hosts.size();
}

void EdsState::apply(const EdsHealth& effect) {
  if (!takes(effect)) {
    return;
  }
  EdsHosts& reported = services_[effect.service.value];
  for (const auto& [host, status] : effect.hosts) {
    for_each_place(scenario_->services[effect.service.value], host,
                   [&reported, to = status](config::HostIndex place) { reported.health[place.value] = to; });
  }
}

void EdsState::apply(const EdsMembership& effect) {
  if (!takes(effect)) {
    return;
  }
  EdsHosts& reported = services_[effect.service.value];
  const Service& service = scenario_->services[effect.service.value];
  for (const config::HostIndex host : effect.hosts) {
    reported.absent[reported.place_of(same_host(service, host)).value] = effect.member ? 0 : 1;
  }
}

void EdsState::apply(const EdsWeights& effect) {
  if (!takes(effect)) {
    return;
  }
  EdsHosts& reported = services_[effect.service.value];
  const Service& service = scenario_->services[effect.service.value];
  if (reported.weights.empty()) {
    reported.weights = weights_at_start(service);
  }
  if (reported.locality_weights.empty() && !effect.localities.empty()) {
    for (const config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
      reported.locality_weights.push_back(group.load_balancing_weight);
    }
  }
  for (const auto& [group, weight] : effect.localities) {
    reported.locality_weights[group] = weight;
  }
  for (const auto& [host, weight] : effect.hosts) {
    for_each_place(service, host,
                   [&reported, to = weight](config::HostIndex place) { reported.weights[place.value] = to; });
  }
}

void EdsState::apply(const EdsPriority& effect) {
  if (!takes(effect)) {
    return;
  }
  const Service& service = scenario_->services[effect.service.value];
  if (service.other_places.empty()) {
    return;  // all hosts are already at their priority
  }
  EdsHosts& reported = services_[effect.service.value];
  for (const config::HostIndex host : effect.hosts) {
    const config::HostIndex to = place_at(service, host, effect.priority);
    config::HostIndex& place = reported.places[host.value];
    std::swap(reported.absent[place.value], reported.absent[to.value]);
    place = to;
  }
}

bool reaches(const std::vector<config::ZoneIndex>& audience, config::ZoneIndex zone) {
  return audience.empty() || std::find(audience.begin(), audience.end(), zone) != audience.end();
}

void add_changes(Scenario& scenario, const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    const auto later = std::upper_bound(scenario.changes.begin(), scenario.changes.end(), change,
                                        [](const Change& left, const Change& right) { return left.at < right.at; });
    scenario.changes.insert(later, change);
  }
}

ActualState actual_at(const Scenario& scenario, Nanoseconds at) {
  ActualState state(scenario);
  for_each_effect_until(scenario, at, [&](const auto& effect, Nanoseconds when) { state.apply(effect, when); });
  return state;
}

config::Runtime runtime_at(const Scenario& scenario, Nanoseconds at) {
  config::Runtime runtime = scenario.runtime;
  for_each_effect_until(scenario, at, [&](const auto& effect, Nanoseconds /*when*/) {
    if constexpr (std::is_same_v<std::decay_t<decltype(effect)>, config::RuntimeChange>) {
      config::apply(effect, runtime);
    }
  });
  return runtime;
}

EdsState eds_state_at(const Scenario& scenario, std::optional<config::ZoneIndex> zone, Nanoseconds at) {
  EdsState state(scenario, zone);
  for_each_effect_until(scenario, at, [&](const auto& effect, Nanoseconds /*when*/) {
    if constexpr (is_reported<std::decay_t<decltype(effect)>>) {
      state.apply(effect);
    }
  });
  return state;
}

EverChanged ever_changed(const Scenario& scenario) {
  EverChanged changed{.reported = std::vector<bool>(scenario.services.size(), false),
                      .rate = std::vector<bool>(scenario.clients.size(), false),
                      .node = std::vector<bool>(scenario.nodes.size(), false),
                      .speed = std::vector<bool>(scenario.endpoints.size(), false)};
  for_each_effect_until(scenario, Nanoseconds::max(), [&](const auto& effect, Nanoseconds /*when*/) {
    using Of = std::decay_t<decltype(effect)>;
    if constexpr (is_reported<Of>) {
      changed.reported[effect.service.value] = true;
    } else if constexpr (std::is_same_v<Of, RateChange>) {
      changed.rate[effect.client.value] = true;
    } else if constexpr (std::is_same_v<Of, NodeOutage>) {
      changed.node[effect.node.value] = true;
    } else if constexpr (std::is_same_v<Of, Slow>) {
      for (const config::HostIndex host : effect.hosts) {
        changed.speed[endpoint_index(scenario, effect.service, host).value] = true;
      }
    }
  });
  return changed;
}

}  // namespace spillway::scenario
