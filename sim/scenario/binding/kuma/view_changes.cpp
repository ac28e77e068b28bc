// Applies EDS reports of services to their views.
#include <algorithm>
#include <utility>
#include <variant>

#include "models/config/each_endpoint.hpp"
#include "models/config/listed_health.hpp"
#include "sim/scenario/binding/kuma/views.hpp"
#include "sim/scenario/binding/pushes.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::kuma_binding {

namespace {

using config::EndpointIndex;
using config::HealthStatus;
using config::HostIndex;
using config::ZoneIndex;

}  // namespace

template <class Visit>
void Views::for_each_behind(const Host& host, const Visit& visit) const {
  if (!host.forwards_to) {
    visit(host.endpoint);
    return;
  }
  for (const Host& further : scenario_->services[host.forwards_to->value].hosts) {
    for_each_behind(further, visit);
  }
}

// Returns the health of a host. A zone proxy is healthy while anything behind it is.
HealthStatus Views::health_of(const List& list, const Host& host) const {
  const std::vector<HealthStatus>& health = health_in_[list.zone.value];
  if (!host.forwards_to) {
    return health[host.endpoint.value];
  }
  bool any = false;
  bool healthy = false;
  bool degraded = false;
  for_each_behind(host, [&](EndpointIndex endpoint) {
    if (ready_in_[list.zone.value][endpoint.value]) {
      any = true;
      healthy = healthy || config::is_listed_healthy(health[endpoint.value]);
      degraded = degraded || health[endpoint.value] == HealthStatus::degraded;
    }
  });
  return !any || healthy ? HealthStatus::healthy : degraded ? HealthStatus::degraded : HealthStatus::unhealthy;
}

void Views::start(config::ServiceIndex index, std::size_t list_index) {
  Service& view = scenario_->services[index.value];
  const List& list = lists_[list_index];
  ViewState state;
  const auto now = weights_now(list);
  config::for_each_endpoint(view.load_assignment, [&](HostIndex host, config::LbEndpoint& endpoint) {
    const auto present = now.find(endpoint.address);
    if (present == now.end()) {
      view.absent_at_start.push_back(host);
    } else {
      endpoint.load_balancing_weight = present->second;
    }
    endpoint.health_status = health_of(list, view.hosts[host.value]);
    state.member.push_back(present == now.end() ? 0 : 1);
    state.weight.push_back(endpoint.load_balancing_weight);
    state.health.push_back(endpoint.health_status);
  });
  states_.emplace(index, std::move(state));
}

// Returns the hosts of a view at an endpoint, or null.
const std::vector<HostIndex>* Views::hosts_at(config::ServiceIndex view, EndpointIndex endpoint) {
  auto& by_endpoint = states_.at(view).by_endpoint;
  const std::vector<Host>& hosts = scenario_->services[view.value].hosts;
  if (by_endpoint.empty()) {
    for (HostIndex host{0}; host.value < hosts.size(); ++host.value) {
      for_each_behind(hosts[host.value], [&](EndpointIndex behind) { by_endpoint[behind].push_back(host); });
    }
  }
  const auto found = by_endpoint.find(endpoint);
  return found == by_endpoint.end() ? nullptr : &found->second;
}

std::vector<ZoneIndex> Views::audience_of(const std::vector<ZoneIndex>& audience) const {
  if (!audience.empty()) {
    return audience;
  }
  std::vector<ZoneIndex> all;
  for (std::uint32_t zone = 0; zone < scenario_->zones.size(); ++zone) {
    all.push_back({zone});
  }
  return all;
}

void Views::follow_changes() {
  fill_shared();
  for (const Change& change : scenario_->changes) {
    std::visit([&](const auto& effect) { follow(change, effect); }, change.effect);
  }
  scenario_->changes = std::move(changes_);
}

// Applies a health report. The service itself keeps its report: an aggregate cluster, which Kuma does not know, may
// consist of it.
void Views::follow(const Change& change, const EdsHealth& reported) {
  changes_.push_back(change);
  std::vector<EndpointIndex> endpoints;
  for (const auto& [host, status] : reported.hosts) {
    endpoints.push_back(scenario_->services[reported.service.value].hosts[host.value].endpoint);
  }
  for (const ZoneIndex zone : audience_of(reported.audience)) {
    for (std::size_t position = 0; position < endpoints.size(); ++position) {
      health_in_[zone.value][endpoints[position].value] = reported.hosts[position].second;
    }
    for (std::size_t list = 0; list < lists_.size(); ++list) {
      if (lists_[list].zone == zone) {
        update_health(change, list, endpoints);
      }
    }
  }
}

void Views::follow(const Change& change, const EdsMembership& reported) {
  changes_.push_back(change);
  std::vector<EndpointIndex> endpoints;
  for (const HostIndex host : reported.hosts) {
    endpoints.push_back(scenario_->services[reported.service.value].hosts[host.value].endpoint);
  }
  for (const ZoneIndex zone : audience_of(reported.audience)) {
    for (const EndpointIndex endpoint : endpoints) {
      ready_in_[zone.value][endpoint.value] = reported.member;
    }
    maps_.erase({zone.value, false, false});
    maps_.erase({zone.value, true, false});
    for (std::size_t list = 0; list < lists_.size(); ++list) {
      if (lists_[list].zone == zone) {
        update_membership(change, list);
        update_health(change, list, endpoints);
      }
    }
  }
}

void Views::update_membership(const Change& change, std::size_t index) {
  const auto now = weights_now(lists_[index]);
  for (const config::ServiceIndex view : lists_[index].views) {
    ViewState& state = states_.at(view);
    EdsMembership joined{.service = view, .hosts = {}, .member = true};
    EdsMembership left{.service = view, .hosts = {}, .member = false};
    EdsWeights weights{.service = view, .hosts = {}};
    const auto& assignment = scenario_->services[view.value].load_assignment;
    config::for_each_endpoint(assignment, [&](HostIndex host, const config::LbEndpoint& endpoint) {
      const auto present = now.find(endpoint.address);
      const std::uint8_t member = present == now.end() ? 0 : 1;
      if (member != std::exchange(state.member[host.value], member)) {
        (member != 0 ? joined : left).hosts.push_back(host);
      }
      if (member != 0 && present->second != std::exchange(state.weight[host.value], present->second)) {
        weights.hosts.emplace_back(host, present->second);
      }
    });
    for (EdsMembership* const push : {&joined, &left}) {
      binding::add_push(changes_, change.at, std::move(*push), change.where);
    }
    binding::add_push(changes_, change.at, std::move(weights), change.where);
  }
}

void Views::update_health(const Change& change, std::size_t index, const std::vector<EndpointIndex>& endpoints) {
  for (const config::ServiceIndex view : lists_[index].views) {
    ViewState& state = states_.at(view);
    std::vector<HostIndex> touched;
    for (const EndpointIndex endpoint : endpoints) {
      if (const std::vector<HostIndex>* const there = hosts_at(view, endpoint)) {
        touched.insert(touched.end(), there->begin(), there->end());
      }
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    EdsHealth reported{.service = view, .hosts = {}};
    for (const HostIndex host : touched) {
      const HealthStatus status = health_of(lists_[index], scenario_->services[view.value].hosts[host.value]);
      if (status != std::exchange(state.health[host.value], status)) {
        reported.hosts.emplace_back(host, status);
      }
    }
    binding::add_push(changes_, change.at, std::move(reported), change.where);
  }
}

}  // namespace spillway::scenario::kuma_binding
