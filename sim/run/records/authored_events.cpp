#include "sim/run/records/authored_events.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "sim/scenario/state_at.hpp"

namespace spillway::run {
namespace {

template <class Effect>
concept IsAboutHosts = requires(const Effect& effect) {
  effect.hosts;
  effect.service;
};

struct KindOf {
  HappeningKind operator()(const scenario::TellHealth& /*effect*/) const { return HappeningKind::health_told; }
  HappeningKind operator()(const scenario::TellMembership& effect) const {
    return effect.member ? HappeningKind::endpoints_added : HappeningKind::endpoints_removed;
  }
  HappeningKind operator()(const scenario::TellWeights& /*effect*/) const { return HappeningKind::weights_told; }
  HappeningKind operator()(const scenario::TellPriority& /*effect*/) const { return HappeningKind::priorities_told; }
  HappeningKind operator()(const scenario::Existence& effect) const {
    return effect.exists ? HappeningKind::outage_ended : HappeningKind::outage_began;
  }
  HappeningKind operator()(const scenario::NodeOutage& effect) const {
    return effect.on ? HappeningKind::node_outage_ended : HappeningKind::node_outage_began;
  }
  HappeningKind operator()(const scenario::LinkChange& /*effect*/) const { return HappeningKind::link_changed; }
  HappeningKind operator()(const scenario::Fails& /*effect*/) const { return HappeningKind::fails; }
  HappeningKind operator()(const scenario::AnswersChecks& /*effect*/) const { return HappeningKind::checks_answered; }
  HappeningKind operator()(const scenario::RateChange& /*effect*/) const { return HappeningKind::rate_changed; }
  HappeningKind operator()(const scenario::Slow& /*effect*/) const { return HappeningKind::slow; }
  HappeningKind operator()(const config::RuntimeChange& /*effect*/) const { return HappeningKind::runtime_changed; }
};

config::HostIndex host_of(config::HostIndex host) {
  return host;
}
template <class Told>
config::HostIndex host_of(const std::pair<config::HostIndex, Told>& told) {
  return told.first;
}

bool is_told_membership(const scenario::Change& change, const scenario::Existence& effect) {
  const auto* const told = std::get_if<scenario::TellMembership>(&change.effect);
  return told != nullptr && told->service == effect.service && told->member == effect.exists &&
         told->hosts == effect.hosts;
}

// Whether a change of the same moment tells the proxies so.
bool is_told(const scenario::Scenario& scenario, std::uint32_t change) {
  const auto* const effect = std::get_if<scenario::Existence>(&scenario.changes[change].effect);
  if (effect == nullptr) {
    return false;
  }
  const auto [first, last] =
      std::equal_range(scenario.changes.begin(), scenario.changes.end(), scenario.changes[change],
                       [](const scenario::Change& left, const scenario::Change& right) { return left.at < right.at; });
  return std::any_of(first, last, [&](const scenario::Change& other) { return is_told_membership(other, *effect); });
}

// Of the changes that count; they are in the order of time.
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

std::optional<HappeningRecord> authored_happening(const scenario::Scenario& scenario, std::uint32_t change) {
  const scenario::Change& of = scenario.changes[change];
  HappeningRecord record{.at = of.at, .kind = std::visit(KindOf{}, of.effect), .change = change};
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
  if (about_view || is_told(scenario, change)) {
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
    return std::visit([](const auto& effect) { return !scenario::is_told<std::decay_t<decltype(effect)>>; },
                      change.effect);
  });
}

}  // namespace spillway::run
