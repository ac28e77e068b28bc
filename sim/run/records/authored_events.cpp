#include "sim/run/records/authored_events.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "models/envoy/policies/registry.hpp"
#include "sim/run/records/event_log.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::run {
namespace {

template <class Effect>
concept IsAboutHosts = requires(const Effect& effect) {
  effect.hosts;
  effect.service;
};

struct KindOf {
  EventKind operator()(const scenario::EdsHealth& /*effect*/) const { return EventKind::health_reported; }
  EventKind operator()(const scenario::EdsMembership& effect) const {
    return effect.member ? EventKind::endpoints_added : EventKind::endpoints_removed;
  }
  EventKind operator()(const scenario::EdsWeights& /*effect*/) const { return EventKind::weights_reported; }
  EventKind operator()(const scenario::EdsPriority& /*effect*/) const { return EventKind::priorities_reported; }
  EventKind operator()(const scenario::Existence& effect) const {
    return effect.exists ? EventKind::outage_ended : EventKind::outage_began;
  }
  EventKind operator()(const scenario::NodeOutage& effect) const {
    return effect.on ? EventKind::node_outage_ended : EventKind::node_outage_began;
  }
  EventKind operator()(const scenario::LinkChange& /*effect*/) const { return EventKind::link_changed; }
  EventKind operator()(const scenario::Fails& /*effect*/) const { return EventKind::fails; }
  EventKind operator()(const scenario::AnswersChecks& /*effect*/) const { return EventKind::checks_answered; }
  EventKind operator()(const scenario::RateChange& /*effect*/) const { return EventKind::rate_changed; }
  EventKind operator()(const scenario::Slow& /*effect*/) const { return EventKind::slow; }
  EventKind operator()(const config::RuntimeChange& /*effect*/) const { return EventKind::runtime_changed; }
};

config::HostIndex host_of(config::HostIndex host) {
  return host;
}
template <class EdsReport>
config::HostIndex host_of(const std::pair<config::HostIndex, EdsReport>& reported) {
  return reported.first;
}

bool is_reported_membership(const scenario::Change& change, const scenario::Existence& effect) {
  const auto* const reported = std::get_if<scenario::EdsMembership>(&change.effect);
  return reported != nullptr && reported->service == effect.service && reported->member == effect.exists &&
         reported->hosts == effect.hosts;
}

// True if another change at the same time reports it to the proxies.
bool is_reported(const scenario::Scenario& scenario, std::uint32_t change) {
  const auto* const effect = std::get_if<scenario::Existence>(&scenario.changes[change].effect);
  if (effect == nullptr) {
    return false;
  }
  const auto [first, last] =
      std::equal_range(scenario.changes.begin(), scenario.changes.end(), scenario.changes[change],
                       [](const scenario::Change& left, const scenario::Change& right) { return left.at < right.at; });
  return std::any_of(first, last,
                     [&](const scenario::Change& other) { return is_reported_membership(other, *effect); });
}

// Returns the times of the relevant changes, which are sorted by time.
template <class Counts>
std::vector<Nanoseconds> moments_of(const scenario::Scenario& scenario, const Counts& counts) {
  std::vector<Nanoseconds> moments;
  for (const scenario::Change& change : scenario.changes) {
    if (change.at > Nanoseconds{0} && counts(change) && (moments.empty() || moments.back() != change.at)) {
      moments.push_back(change.at);
    }
  }
  return moments;
}

}  // namespace

std::vector<config::EndpointIndex> endpoints_of(const scenario::Scenario& scenario, const scenario::Effect& effect) {
  std::vector<config::EndpointIndex> endpoints;
  std::visit(
      [&](const auto& of) {
        using Effect = std::decay_t<decltype(of)>;
        if constexpr (IsAboutHosts<Effect>) {
          for (const auto& host : of.hosts) {
            const scenario::Host& found = scenario.services[of.service.value].hosts[host_of(host).value];
            if (!found.forwards_to) {
              endpoints.push_back(found.endpoint);
            }
          }
        } else if constexpr (std::is_same_v<Effect, scenario::NodeOutage>) {
          for (std::uint32_t endpoint = 0; endpoint < scenario.endpoints.size(); ++endpoint) {
            if (scenario.endpoints[endpoint].node == of.node) {
              endpoints.push_back(config::EndpointIndex{endpoint});
            }
          }
        }
      },
      effect);
  return endpoints;
}

std::optional<EventRecord> authored_event(const scenario::Scenario& scenario, std::uint32_t change) {
  const scenario::Change& of = scenario.changes[change];
  EventRecord record{.at = of.at, .kind = std::visit(KindOf{}, of.effect), .change = change};
  bool about_view = false;
  std::visit(
      [&](const auto& effect) {
        using Effect = std::decay_t<decltype(effect)>;
        if constexpr (IsAboutHosts<Effect>) {
          record.service = effect.service;
          about_view = scenario.services[effect.service.value].as_view.has_value();
        } else if constexpr (std::is_same_v<Effect, scenario::RateChange>) {
          record.client = effect.client;
        }
      },
      of.effect);
  if (about_view || is_reported(scenario, change)) {
    return std::nullopt;
  }
  if (const auto endpoints = endpoints_of(scenario, of.effect); endpoints.size() == 1) {
    record.endpoint = endpoints.front();
  }
  return record;
}

std::vector<Nanoseconds> authored_moments(const scenario::Scenario& scenario) {
  return moments_of(scenario, [](const scenario::Change& /*change*/) { return true; });
}

std::vector<Nanoseconds> moments_of_real_changes(const scenario::Scenario& scenario) {
  return moments_of(scenario, [](const scenario::Change& change) {
    return std::visit([](const auto& effect) { return !scenario::is_reported<std::decay_t<decltype(effect)>>; },
                      change.effect);
  });
}

}  // namespace spillway::run
