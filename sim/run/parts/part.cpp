#include "sim/run/parts/part.hpp"

#include <algorithm>
#include <set>
#include <type_traits>
#include <utility>
#include <variant>

#include "models/config/seconds.hpp"
#include "models/envoy/policies/registry.hpp"
#include "sim/run/parts/components.hpp"
#include "sim/run/records/event_log.hpp"
#include "sim/run/results.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/state_at.hpp"
#include "sim/scenario/workload.hpp"

namespace spillway::run {

namespace {

// Returns the requests of all clients, by entry, estimated from rates.
std::vector<double> requests_of_clients(const scenario::Scenario& scenario) {
  std::vector<double> requests(scenario.clients.size(), 0.0);
  std::vector<scenario::RateChange> rates;
  std::vector<Nanoseconds> since(scenario.clients.size(), Nanoseconds{0});
  for (std::uint32_t index = 0; index < scenario.clients.size(); ++index) {
    const scenario::Workload& workload = scenario.clients[index].workload;
    rates.push_back({config::ClientEntryIndex{index}, workload.rate, workload.slope});
  }
  const auto count_until = [&](std::uint32_t index, Nanoseconds now) {
    const double passed = config::seconds(now - since[index]);
    const double mean = std::max(rates[index].rate + rates[index].slope * passed / 2.0, 0.0);
    requests[index] += mean * passed * scenario.clients[index].count;
    since[index] = now;
  };
  for (const scenario::Change& change : scenario.changes) {
    if (const auto* const rate = std::get_if<scenario::RateChange>(&change.effect)) {
      count_until(rate->client.value, change.at);
      rates[rate->client.value] = *rate;
    }
  }
  for (std::uint32_t index = 0; index < requests.size(); ++index) {
    count_until(index, scenario.duration);
    if (const auto& trace = scenario.clients[index].workload.trace) {
      requests[index] = static_cast<double>(trace->size());
    }
  }
  return requests;
}

}  // namespace

std::vector<Part> parts_of(const scenario::Scenario& scenario, std::size_t most) {
  const Components components(scenario);
  const std::vector<double> requests = requests_of_clients(scenario);
  std::vector<Part> alone(components.count());
  for (std::uint32_t client = 0; client < scenario.clients.size(); ++client) {
    Part& part = alone[components.of(config::ClientEntryIndex{client})];
    part.clients.push_back(config::ClientEntryIndex{client});
    part.requests += requests[client];
  }
  // Assigns the largest components first, each to the part with the fewest requests so far.
  numeric::stable_sort(alone, [](const Part& left, const Part& right) { return left.requests > right.requests; });
  std::vector<Part> parts(std::min(std::max<std::size_t>(most, 1), alone.size()));
  for (Part& component : alone) {
    Part& part = *std::min_element(parts.begin(), parts.end(),
                                   [](const Part& left, const Part& right) { return left.requests < right.requests; });
    part.clients.insert(part.clients.end(), component.clients.begin(), component.clients.end());
    part.requests += component.requests;
  }
  std::erase_if(parts, [](const Part& part) { return part.clients.empty(); });  // if all clients send nothing
  for (Part& part : parts) {
    std::sort(part.clients.begin(), part.clients.end());
  }
  numeric::stable_sort(parts, [](const Part& left, const Part& right) { return left.requests > right.requests; });
  return parts;
}

PartScenario part_scenario(const scenario::Scenario& whole, const Part& part) {
  PartScenario own{whole, {}};
  own.scenario.clients.clear();
  own.scenario.changes.clear();
  for (const config::ClientEntryIndex client : part.clients) {
    own.scenario.clients.add(whole.clients.share(client.value));
  }
  for (std::uint32_t index = 0; index < whole.changes.size(); ++index) {
    scenario::Change change = whole.changes[index];
    if (auto* const rate = std::get_if<scenario::RateChange>(&change.effect)) {
      const auto found = std::lower_bound(part.clients.begin(), part.clients.end(), rate->client);
      if (found == part.clients.end() || *found != rate->client) {
        continue;
      }
      rate->client = config::ClientEntryIndex{static_cast<std::uint32_t>(found - part.clients.begin())};
    }
    own.scenario.changes.push_back(std::move(change));
    own.changes.push_back(index);
  }
  return own;
}

EventRecord number_as_whole(const Part& part, const PartScenario& own, EventRecord record) {
  const bool about_client =
      !record.change || std::holds_alternative<scenario::RateChange>(own.scenario.changes[*record.change].effect);
  if (about_client) {
    record.client = part.clients[record.client.value];
  }
  if (record.change) {
    record.change = own.changes[*record.change];
  }
  return record;
}

void number_as_whole(const Part& part, const PartScenario& own, Results& results) {
  const auto number = [&](auto& rows) {
    for (auto& row : rows) {
      row.client = part.clients[row.client.value];
    }
  };
  number(results.epochs);
  number(results.shares.blocks());
  number(results.outcomes);
  number(results.latency);
  number(results.whole_latency);
  number(results.within);
  number(results.cross_zone.blocks());
  number(results.ejections);
  number(results.checked);
  for (EventGroup& group : results.logged_events.groups) {
    group.first = number_as_whole(part, own, group.first);
  }
  for (EventRecord& record : results.logged_events.each) {
    record = number_as_whole(part, own, record);
  }
}

std::vector<Nanoseconds> epoch_ends(const scenario::Scenario& scenario, const Options& options) {
  // By service: the zones of clients whose picks depend on its EDS state, and whether it is behind zone proxies. Zone
  // proxies have no tables.
  std::vector<std::set<config::ZoneIndex>> zones(scenario.services.size());
  std::vector<bool> behind(scenario.services.size(), false);
  const auto meet_behind = [&](config::ServiceIndex service, const auto& again) -> void {
    for (const scenario::Host& host : scenario.services[service.value].hosts) {
      if (host.forwards_to && !behind[host.forwards_to->value]) {
        behind[host.forwards_to->value] = true;
        again(*host.forwards_to, again);
      }
    }
  };
  for (const scenario::ClientEntry& client : scenario.clients) {
    const config::ZoneIndex zone = scenario.nodes[client.node.value].zone;
    if (client.zone_proxy) {
      continue;
    }
    if (scenario.local_cluster) {
      zones[scenario.local_cluster->value].insert(zone);
    }
    for (const config::ServiceIndex service : scenario::services_of(scenario, client)) {
      for (const config::ServiceIndex member : scenario::members_of(scenario, service)) {
        zones[member.value].insert(zone);
        meet_behind(member, meet_behind);
      }
    }
  }
  std::set<Nanoseconds> ends(options.cuts.begin(), options.cuts.end());
  ends.insert(options.measured_from);
  for (const scenario::Change& change : scenario.changes) {
    const bool ends_rows = std::visit(
        [&](const auto& effect) {
          using Effect = std::decay_t<decltype(effect)>;
          if constexpr (scenario::is_reported<Effect>) {
            const std::set<config::ZoneIndex>& of = zones[effect.service.value];
            return behind[effect.service.value] || std::any_of(of.begin(), of.end(), [&](config::ZoneIndex zone) {
                     return scenario::reaches(effect.audience, zone);
                   });
          } else {
            return std::is_same_v<Effect, config::RuntimeChange> && scenario.local_cluster.has_value();
          }
        },
        change.effect);
    if (ends_rows) {
      ends.insert(change.at);
    }
  }
  ends.erase(ends.begin(), ends.upper_bound(Nanoseconds{0}));
  ends.insert(scenario.duration);
  return {ends.begin(), ends.end()};
}

}  // namespace spillway::run
