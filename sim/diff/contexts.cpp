#include "sim/diff/contexts.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <type_traits>
#include <utility>
#include <variant>

#include "sim/plan/moment.hpp"

namespace spillway::diff {
namespace {

double seconds(Nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

// Whether it changes what shares and loads follow from.
bool matters(const scenario::Effect& effect) {
  return std::visit(
      [](const auto& of) {
        using Of = std::decay_t<decltype(of)>;
        return std::is_same_v<Of, scenario::TellHealth> || std::is_same_v<Of, scenario::TellMembership> ||
               std::is_same_v<Of, scenario::TellWeights> || std::is_same_v<Of, scenario::Existence> ||
               std::is_same_v<Of, scenario::NodeOutage> || std::is_same_v<Of, scenario::RateChange> ||
               std::is_same_v<Of, scenario::Slow>;
      },
      effect);
}

void add_moments(const scenario::Scenario& scenario, Nanoseconds until, std::set<Nanoseconds>& moments) {
  for (const scenario::Change& change : scenario.changes) {
    if (change.at < until && matters(change.effect)) {
      moments.insert(change.at);
    }
  }
}

const plan::Failure* find(const plan::Failures& failures, const std::string& name) {
  const auto found = std::find_if(failures.all.begin(), failures.all.end(),
                                  [&](const plan::Failure& failure) { return failure.name == name; });
  return found == failures.all.end() ? nullptr : &*found;
}

// By HostIndex of one service of the file.
struct Told {
  std::vector<bool> member;
  std::vector<bool> healthy;
};

Told told_at_start(const scenario::Service& service) {
  Told told;
  for (const config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
    for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
      told.healthy.push_back(endpoint.health_status == config::HealthStatus::healthy ||
                             endpoint.health_status == config::HealthStatus::unknown);
    }
  }
  told.healthy.resize(service.hosts.size(), true);
  told.member.assign(service.hosts.size(), true);
  for (const config::HostIndex host : service.absent_at_start) {
    told.member[host.value] = false;
  }
  return told;
}

void apply(const scenario::Change& change, std::uint32_t service, Told& told) {
  if (const auto* health = std::get_if<scenario::TellHealth>(&change.effect)) {
    for (const auto& [host, status] : health->hosts) {
      if (health->service.value == service && health->audience.empty()) {
        told.healthy[host.value] = status == config::HealthStatus::healthy || status == config::HealthStatus::unknown;
      }
    }
  } else if (const auto* membership = std::get_if<scenario::TellMembership>(&change.effect)) {
    for (const config::HostIndex host : membership->hosts) {
      if (membership->service.value == service && membership->audience.empty()) {
        told.member[host.value] = membership->member;
      }
    }
  }
}

// The file's own services that clients can ask for.
bool is_told_of(const scenario::Scenario& still, std::uint32_t index) {
  const scenario::Service& service = still.services[index];
  return !service.view_of && std::none_of(service.hosts.begin(), service.hosts.end(),
                                          [](const scenario::Host& host) { return host.forwards_to.has_value(); });
}

}  // namespace

std::vector<ZoneHealth> health_of(const scenario::Scenario& still) {
  std::vector<ZoneHealth> lacking;
  for (std::uint32_t index = 0; index < still.services.size(); ++index) {
    if (!is_told_of(still, index)) {
      continue;
    }
    const scenario::Service& service = still.services[index];
    Told told = told_at_start(service);
    for (const scenario::Change& change : still.changes) {
      apply(change, index, told);
    }
    std::map<std::uint32_t, ZoneHealth> zones;
    for (std::size_t host = 0; host < service.hosts.size(); ++host) {
      const scenario::Endpoint& endpoint = still.endpoints[service.hosts[host].endpoint.value];
      const config::ZoneIndex zone = still.nodes[endpoint.node.value].zone;
      ZoneHealth& health = zones[zone.value];
      health.service = service.name;
      health.zone = still.zones[zone.value].name;
      ++health.endpoints;
      health.members += told.member[host] ? 1 : 0;
      health.healthy += told.member[host] && told.healthy[host] ? 1 : 0;
    }
    for (auto& [zone, health] : zones) {
      if (health.healthy < health.endpoints) {
        lacking.push_back(std::move(health));
      }
    }
  }
  return lacking;
}

std::vector<std::string> nodes_out(const scenario::Scenario& still) {
  std::map<std::uint32_t, bool> on;
  for (const scenario::Change& change : still.changes) {
    if (const auto* outage = std::get_if<scenario::NodeOutage>(&change.effect)) {
      on[outage->node.value] = outage->on;
    }
  }
  std::vector<std::string> names;
  for (const auto& [node, is_on] : on) {
    if (!is_on) {
      names.push_back(still.nodes[node].name);
    }
  }
  return names;
}

Stages stages_of(const Side& before, const Side& after, std::optional<Nanoseconds> at) {
  Stages stages;
  const Nanoseconds until = std::min(before.scenario().duration, after.scenario().duration);
  const Nanoseconds busiest = plan::busiest_moment(after.scenario());
  stages.failures_at = at.value_or(busiest < until ? busiest : plan::busiest_moment(before.scenario()));
  stages.failures_at = std::min(stages.failures_at, until - Nanoseconds{1});
  std::set<Nanoseconds> moments = {Nanoseconds{0}};
  add_moments(before.scenario(), until, moments);
  add_moments(after.scenario(), until, moments);
  std::size_t number = 0;
  for (auto moment = moments.begin(); moment != moments.end(); ++moment, ++number) {
    const auto next = std::next(moment);
    // Of n moments number k is left out unless k * most / n passes a whole number.
    if (moments.size() > most_moments && number > 0 &&
        number * most_moments / moments.size() == (number - 1) * most_moments / moments.size()) {
      ++stages.moments_left_out;
      continue;
    }
    Stage stage;
    stage.at = *moment;
    stage.context.start = seconds(*moment);
    stage.context.end = seconds(next == moments.end() ? until : *next);
    stages.all.push_back(std::move(stage));
  }
  stages.before = plan::failures_of(before.scenario());
  stages.after = plan::failures_of(after.scenario());
  // The first is that nothing fails: one of the moments.
  for (std::size_t index = 1; index < stages.after.all.size(); ++index) {
    const plan::Failure& failure = stages.after.all[index];
    const plan::Failure* const same = find(stages.before, failure.name);
    if (same == nullptr) {
      stages.presences.push_back({"failure", failure.name, true});
      continue;
    }
    Stage stage;
    stage.at = stages.failures_at;
    stage.before = same;
    stage.after = &failure;
    stage.context.kind = Context::Kind::failure;
    stage.context.start = stage.context.end = seconds(stages.failures_at);
    stage.context.failure = failure.name;
    stage.context.ways = failure.ways;
    stages.all.push_back(std::move(stage));
  }
  for (std::size_t index = 1; index < stages.before.all.size(); ++index) {
    if (find(stages.after, stages.before.all[index].name) == nullptr) {
      stages.presences.push_back({"failure", stages.before.all[index].name, false});
    }
  }
  return stages;
}

}  // namespace spillway::diff
