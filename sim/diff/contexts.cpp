#include "sim/diff/contexts.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <type_traits>
#include <utility>
#include <variant>

#include "models/config/listed_health.hpp"
#include "models/config/seconds.hpp"
#include "models/envoy/policies/registry.hpp"
#include "sim/plan/busiest_moments.hpp"
#include "sim/plan/moment.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/world.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::diff {
namespace {

// True if the effect changes the input of shares and loads.
bool matters(const scenario::Effect& effect) {
  return std::visit(
      [](const auto& of) {
        using Of = std::decay_t<decltype(of)>;
        return scenario::is_reported<Of> || std::is_same_v<Of, config::RuntimeChange> ||
               std::is_same_v<Of, scenario::Existence> || std::is_same_v<Of, scenario::NodeOutage> ||
               std::is_same_v<Of, scenario::RateChange> || std::is_same_v<Of, scenario::Slow>;
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

// True for the file's own services that clients can request.
bool is_reported_of(const scenario::Scenario& still, std::uint32_t index) {
  const scenario::Service& service = still.services[index];
  return !service.as_view && std::none_of(service.hosts.begin(), service.hosts.end(),
                                          [](const scenario::Host& host) { return host.forwards_to.has_value(); });
}

// Returns how many times can be compared in tens of seconds; at least ten.
std::size_t most_of(const scenario::Scenario& scenario) {
  constexpr double most_cells = 5e5;
  const double cells = std::max(1.0, static_cast<double>(scenario.clients.size() * scenario.endpoints.size()));
  return static_cast<std::size_t>(std::clamp(most_cells / cells, 10.0, static_cast<double>(most_moments)));
}

// Returns the newer side's busiest times, if they are before the shorter scenario ends.
plan::BusiestMoments busiest_of(const Side& before, const Side& after, Nanoseconds until) {
  plan::BusiestMoments busiest = plan::busiest_moments(after.scenario());
  if (busiest.first >= until) {
    busiest.first = plan::busiest_moment(before.scenario());
    busiest.all = {busiest.first};
    busiest.in_trouble.clear();
  }
  std::erase_if(busiest.all, [&](Nanoseconds at) { return at >= until && at != busiest.first; });
  return busiest;
}

// Returns the number of failures that remove an endpoint existing at `at`.
std::size_t effective_failures(const scenario::Scenario& scenario, const plan::Failures& failures, Nanoseconds at) {
  const std::vector<bool> present = plan::World(scenario, at).present();
  return static_cast<std::size_t>(
      std::count_if(failures.all.begin(), failures.all.end(), [&](const plan::Failure& failure) {
        return std::any_of(failure.endpoints.begin(), failure.endpoints.end(),
                           [&](config::EndpointIndex endpoint) { return present[endpoint.value]; });
      }));
}

// Returns the hardest of the times at which most failures remove something. An endpoint that is already gone cannot
// fail.
Nanoseconds hardest_of(const Side& after, plan::BusiestMoments busiest) {
  if (after.base() == nullptr) {
    return busiest.first;
  }
  const plan::Failures failures = plan::failures_of(after.scenario());
  std::map<Nanoseconds, std::size_t> effective;
  std::size_t most = 0;
  for (const Nanoseconds at : busiest.all) {
    effective[at] = effective_failures(after.scenario(), failures, at);
    most = std::max(most, effective[at]);
  }
  std::erase_if(busiest.all, [&](Nanoseconds at) { return effective[at] < most; });
  return plan::hardest_moment(*after.base(), busiest, 1.0);
}

// True if a rate differs between start and end. Rates are linear between their changes.
bool rates_move(const scenario::Scenario& scenario, Nanoseconds start, Nanoseconds end) {
  const scenario::ActualState state = scenario::actual_at(scenario, start);
  for (std::uint32_t client = 0; client < scenario.clients.size(); ++client) {
    if (state.rate({client}, start) != state.rate({client}, end)) {
      return true;
    }
  }
  return false;
}

// Returns the times at which failures are not compared.
std::vector<Nanoseconds> others_of(const plan::BusiestMoments& busiest, Nanoseconds at, Nanoseconds until) {
  std::set<Nanoseconds> others(busiest.all.begin(), busiest.all.end());
  others.insert(busiest.in_trouble.begin(), busiest.in_trouble.end());
  others.erase(at);
  others.erase(others.lower_bound(until), others.end());
  return {others.begin(), others.end()};
}

}  // namespace

std::vector<ZoneHealth> health_of(const scenario::Scenario& still) {
  std::vector<ZoneHealth> lacking;
  const scenario::EdsState reported = scenario::eds_state_at(still, std::nullopt, still.duration);
  for (std::uint32_t index = 0; index < still.services.size(); ++index) {
    if (!is_reported_of(still, index)) {
      continue;
    }
    const scenario::Service& service = still.services[index];
    const scenario::EdsHosts& hosts = reported.of({index});
    std::map<std::uint32_t, ZoneHealth> zones;
    for (std::size_t host = 0; host < service.hosts.size(); ++host) {
      const scenario::Endpoint& endpoint = still.endpoints[service.hosts[host].endpoint.value];
      const config::ZoneIndex zone = still.nodes[endpoint.node.value].zone;
      ZoneHealth& health = zones[zone.value];
      health.service = service.name;
      health.zone = still.zones[zone.value].name;
      ++health.endpoints;
      const bool member = hosts.absent[host] == 0;
      const bool healthy = config::is_listed_healthy(hosts.health[host]);
      health.members += member ? 1 : 0;
      health.healthy += member && healthy ? 1 : 0;
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
  const scenario::ActualState state = scenario::actual_at(still, still.duration);
  std::vector<std::string> names;
  for (std::uint32_t node = 0; node < still.nodes.size(); ++node) {
    if (!state.is_on({node})) {
      names.push_back(still.nodes[node].name);
    }
  }
  return names;
}

Stages stages_of(const Side& before, const Side& after, std::optional<Nanoseconds> at) {
  Stages stages;
  const Nanoseconds until = std::min(before.scenario().duration, after.scenario().duration);
  const plan::BusiestMoments busiest = busiest_of(before, after, until);
  stages.failures_at = at.value_or(hardest_of(after, busiest));
  stages.failures_at = std::min(stages.failures_at, until - Nanoseconds{1});
  if (!at) {
    stages.also_busiest = others_of(busiest, stages.failures_at, until);
  }
  std::set<Nanoseconds> moments = {Nanoseconds{0}};
  add_moments(before.scenario(), until, moments);
  add_moments(after.scenario(), until, moments);
  const std::size_t most = std::min(most_of(before.scenario()), most_of(after.scenario()));
  std::size_t number = 0;
  for (auto moment = moments.begin(); moment != moments.end(); ++moment, ++number) {
    const auto next = std::next(moment);
    // Keeps `most` of n times, evenly: number k is left out unless k * most / n passes a whole number.
    if (moments.size() > most && number > 0 && number * most / moments.size() == (number - 1) * most / moments.size()) {
      ++stages.moments_left_out;
      continue;
    }
    ++stages.moments;
    Stage stage;
    stage.at = *moment;
    stage.context.start = config::seconds(*moment);
    const Nanoseconds end = next == moments.end() ? until : *next;
    stage.context.end = config::seconds(end);
    const Nanoseconds last = end - Nanoseconds{1};
    if (rates_move(before.scenario(), *moment, last) || rates_move(after.scenario(), *moment, last)) {
      stage.end_of_ramp = last;
    }
    stages.all.push_back(std::move(stage));
  }
  stages.before = plan::failures_of(before.scenario());
  stages.after = plan::failures_of(after.scenario());
  // The first failure is the baseline, which the times already cover.
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
    stage.context.start = stage.context.end = config::seconds(stages.failures_at);
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
