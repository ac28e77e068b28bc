#include "sim/plan/moment.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "models/config/seconds.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/endpoint.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/state_at.hpp"
#include "sim/scenario/workload.hpp"

namespace spillway::plan {

namespace {

// Relative tolerance when comparing rates.
constexpr double rate_rounding = 1e-12;

// `entries` empty: all entries.
double sum_of_rates(const scenario::Scenario& scenario, const scenario::ActualState& state, Nanoseconds at,
                    const Entries& entries = {}) {
  double sum = 0.0;
  for (std::uint32_t client = 0; client < scenario.clients.size(); ++client) {
    if (entries.empty() || entries[client]) {
      const scenario::ClientEntry& entry = scenario.clients[client];
      sum += state.rate({client}, at) * entry.count * most_rate_of_user(scenario, entry);
    }
  }
  return sum;
}

constexpr Nanoseconds second = std::chrono::seconds{1};

std::size_t recorded_in_second(const scenario::Workload& workload, Nanoseconds at) {
  const auto before = [](const scenario::TracedArrival& arrival, Nanoseconds time) { return arrival.at < time; };
  const auto first = std::lower_bound(workload.trace->begin(), workload.trace->end(), at, before);
  return static_cast<std::size_t>(std::lower_bound(first, workload.trace->end(), at + second, before) - first);
}

// Returns the busiest second of all entries' recorded arrivals together; nullopt if nothing is recorded.
std::optional<Nanoseconds> busiest_recorded_second(const scenario::Scenario& scenario) {
  std::vector<Nanoseconds> arrivals;
  for (const scenario::ClientEntry& entry : scenario.clients) {
    for (std::size_t index = 0; entry.workload.trace && index < entry.workload.trace->size(); ++index) {
      arrivals.push_back((*entry.workload.trace)[index].at);
    }
  }
  std::sort(arrivals.begin(), arrivals.end());
  std::optional<Nanoseconds> busiest;
  std::size_t most = 0;
  for (std::size_t first = 0, end = 0; first < arrivals.size(); ++first) {
    while (end < arrivals.size() && arrivals[end] < arrivals[first] + second) {
      ++end;
    }
    if (end - first > most) {
      most = end - first;
      busiest = arrivals[first];
    }
  }
  return busiest;
}

// Returns by how much the arrivals recorded in the second from `at` exceed the mean rates.
double sum_beyond_mean(const scenario::Scenario& scenario, Nanoseconds at) {
  double sum = 0.0;
  for (const scenario::ClientEntry& entry : scenario.clients) {
    if (entry.workload.trace) {
      sum += static_cast<double>(recorded_in_second(entry.workload, at)) - entry.workload.rate * entry.count;
    }
  }
  return sum;
}

// Returns a key of what a change sets, independent of the value: kind of effect, service, receivers and hosts. Empty
// for effects that the next of their kind does not simply overwrite.
std::vector<std::uint32_t> what_is_set(const scenario::Effect& effect) {
  std::vector<std::uint32_t> key;
  const auto add = [&](const auto& reported) {
    key = {static_cast<std::uint32_t>(effect.index()), reported.service.value,
           static_cast<std::uint32_t>(reported.audience.size())};
    for (const config::ZoneIndex zone : reported.audience) {
      key.push_back(zone.value);
    }
    for (const auto& [host, value] : reported.hosts) {
      key.push_back(host.value);
    }
  };
  if (const auto* const health = std::get_if<scenario::EdsHealth>(&effect)) {
    add(*health);
  } else if (const auto* const weights = std::get_if<scenario::EdsWeights>(&effect)) {
    add(*weights);
    for (const auto& [locality, value] : weights->localities) {
      key.push_back(~locality);  // no host has such an index
    }
  }
  return key;
}

// Removes changes that a later one overwrites entirely: a host that flaps for hours keeps only its last change.
std::vector<scenario::Change> without_overwritten(std::vector<scenario::Change> changes) {
  std::set<std::vector<std::uint32_t>> set_later;
  std::vector<bool> overwritten(changes.size(), false);
  for (std::size_t index = changes.size(); index-- > 0;) {
    std::vector<std::uint32_t> key = what_is_set(changes[index].effect);
    overwritten[index] = !key.empty() && !set_later.insert(std::move(key)).second;
  }
  std::size_t index = 0;
  std::erase_if(changes, [&](const scenario::Change& /*change*/) { return overwritten[index++]; });
  return changes;
}

}  // namespace

double rate_at(const scenario::Scenario& scenario, Nanoseconds at) {
  return sum_of_rates(scenario, scenario::actual_at(scenario, at), at);
}

double rate_at(const scenario::Scenario& scenario, Nanoseconds at, const Entries& entries) {
  return sum_of_rates(scenario, scenario::actual_at(scenario, at), at, entries);
}

Nanoseconds busiest_moment(const scenario::Scenario& scenario) {
  return busiest_moment(scenario, {});
}

Nanoseconds busiest_moment(const scenario::Scenario& scenario, const Entries& entries) {
  scenario::ActualState state(scenario);
  Nanoseconds busiest{0};
  double most = 0.0;
  const auto look_at = [&](Nanoseconds moment) {
    const double rate =
        sum_of_rates(scenario, state, moment, entries) + (entries.empty() ? sum_beyond_mean(scenario, moment) : 0.0);
    if (rate > most * (1.0 + rate_rounding)) {
      most = rate;
      busiest = moment;
    }
  };
  // Rates are linear between changes, so the maximum is at an end of a segment.
  Nanoseconds start{0};
  for (const scenario::Change& change : scenario.changes) {
    const bool moves = std::holds_alternative<scenario::RateChange>(change.effect) ||
                       std::holds_alternative<scenario::NodeOutage>(change.effect);
    if (moves && change.at > start) {
      look_at(start);
      look_at(change.at - Nanoseconds{1});
      start = change.at;
    }
    std::visit([&](const auto& effect) { state.apply(effect, change.at); }, change.effect);
  }
  look_at(start);
  look_at(scenario.duration - Nanoseconds{1});
  if (const auto recorded = entries.empty() ? busiest_recorded_second(scenario) : std::nullopt) {
    state = scenario::actual_at(scenario, *recorded);
    look_at(*recorded);
  }
  return busiest;
}

double mean_rate(const scenario::Scenario& scenario) {
  return mean_rate(scenario, {});
}

double mean_rate(const scenario::Scenario& scenario, const Entries& entries) {
  scenario::ActualState state(scenario);
  double requests = 0.0;
  // Rates are linear between changes.
  Nanoseconds start{0};
  const auto add_until = [&](Nanoseconds end) {
    const double rates =
        sum_of_rates(scenario, state, start, entries) + sum_of_rates(scenario, state, end - Nanoseconds{1}, entries);
    requests += rates / 2.0 * config::seconds(end - start);
    start = end;
  };
  for (const scenario::Change& change : scenario.changes) {
    const bool moves = std::holds_alternative<scenario::RateChange>(change.effect) ||
                       std::holds_alternative<scenario::NodeOutage>(change.effect);
    if (moves && change.at > start && change.at < scenario.duration) {
      add_until(change.at);
    }
    if (change.at < scenario.duration) {
      std::visit([&](const auto& effect) { state.apply(effect, change.at); }, change.effect);
    }
  }
  add_until(scenario.duration);
  return requests / config::seconds(scenario.duration);
}

std::vector<Nanoseconds> equally_busy(const scenario::Scenario& scenario, Nanoseconds first) {
  std::vector<Nanoseconds> moments;
  const double most = rate_at(scenario, first);
  scenario::ActualState state(scenario);
  for (std::size_t index = 0; index < scenario.changes.size(); ++index) {
    const Nanoseconds at = scenario.changes[index].at;
    std::visit([&](const auto& effect) { state.apply(effect, at); }, scenario.changes[index].effect);
    const bool last_of_moment = index + 1 == scenario.changes.size() || scenario.changes[index + 1].at > at;
    if (last_of_moment && at > first && at < scenario.duration &&
        sum_of_rates(scenario, state, at) >= most * (1.0 - rate_rounding)) {
      moments.push_back(at);
    }
  }
  return moments;
}

double most_rate_of_user(const scenario::Scenario& scenario, const scenario::ClientEntry& entry) {
  if (entry.workload.arrivals != scenario::Arrivals::closed) {
    return 1.0;
  }
  double shortest = std::numeric_limits<double>::infinity();
  for (const config::ServiceIndex service : scenario::services_of(scenario, entry)) {
    for (const config::ServiceIndex member : scenario::members_of(scenario, service)) {
      for (const scenario::Host& host : scenario.services[member.value].hosts) {
        shortest = std::min(shortest, scenario::core_seconds(scenario.endpoints[host.endpoint.value]));
      }
    }
  }
  const double seconds = config::seconds(entry.workload.think_time) + (std::isfinite(shortest) ? shortest : 0.0);
  return seconds > 0.0 ? 1.0 / seconds : std::numeric_limits<double>::infinity();
}

void open_loops(scenario::Scenario& scenario) {
  const auto& entries = std::as_const(scenario).clients;
  for (std::size_t client = 0; client < entries.size(); ++client) {
    if (entries[client].workload.arrivals == scenario::Arrivals::closed) {
      const double rate = entries[client].workload.rate * most_rate_of_user(scenario, entries[client]);
      scenario::Workload& workload = scenario.clients[client].workload;
      workload.rate = rate;
      workload.arrivals = scenario::Arrivals::poisson;
      workload.users = 0;
    }
  }
}

void scale_users(scenario::Scenario& scenario) {
  const auto& entries = std::as_const(scenario).clients;
  for (std::size_t client = 0; client < entries.size(); ++client) {
    if (entries[client].workload.arrivals == scenario::Arrivals::closed) {
      constexpr double rounding = 1e-9;
      scenario::Workload& workload = scenario.clients[client].workload;
      workload.users = static_cast<std::uint32_t>(std::ceil(workload.rate * (1.0 - rounding)));
      workload.rate = workload.users;
    }
  }
}

double burstiness(const scenario::Workload& workload, Nanoseconds at) {
  constexpr std::size_t parts = 100;
  std::array<double, parts> counts{};
  double sum = 0.0;
  for (const scenario::TracedArrival& arrival : *workload.trace) {
    if (arrival.at >= at && arrival.at < at + second) {
      ++counts[static_cast<std::size_t>((arrival.at - at) / (second / static_cast<std::int64_t>(parts)))];
      ++sum;
    }
  }
  const double mean = sum / static_cast<double>(parts);
  double squares = 0.0;
  for (const double count : counts) {
    squares += (count - mean) * (count - mean);
  }
  return sum > 0.0 ? squares / static_cast<double>(parts - 1) / mean : 1.0;
}

void spread_recorded_arrivals(scenario::Scenario& scenario, Nanoseconds at) {
  const auto& entries = std::as_const(scenario).clients;
  for (std::size_t client = 0; client < entries.size(); ++client) {
    if (entries[client].workload.trace) {
      scenario::ClientEntry& entry = scenario.clients[client];
      scenario::Workload& workload = entry.workload;
      workload.rate = static_cast<double>(recorded_in_second(workload, at)) / entry.count;
      workload.arrivals = scenario::Arrivals::poisson;
      workload.trace = nullptr;
    }
  }
}

scenario::Scenario at_moment(scenario::Scenario scenario, Nanoseconds at, double growth) {
  const scenario::ActualState state = scenario::actual_at(scenario, at);
  const auto is_on = [&](config::NodeIndex node) { return state.is_on(node); };
  for (std::uint32_t client = 0; client < scenario.clients.size(); ++client) {
    scenario::ClientEntry& entry = scenario.clients[client];
    entry.workload.slope = 0.0;
    entry.workload.rate = state.rate({client}, at) * growth;
    const std::uint32_t sending = clients_on(entry, is_on);
    // A trace's arrivals name clients, so all clients stay.
    if (sending > 0 && sending < entry.count && entry.workload.trace == nullptr) {
      entry.workload.rate = std::max(0.0, state.of(config::ClientEntryIndex{client}).at(at)) * growth;
      entry.count = sending;
      std::erase_if(entry.nodes, [&](config::NodeIndex node) { return !is_on(node); });
    }
  }
  scenario.runtime = scenario::runtime_at(scenario, at);
  std::vector<scenario::Change> past;
  for (scenario::Change& change : scenario.changes) {
    if (change.at <= at && !std::holds_alternative<scenario::RateChange>(change.effect) &&
        !std::holds_alternative<config::RuntimeChange>(change.effect)) {
      change.at = Nanoseconds{0};
      past.push_back(std::move(change));
    }
  }
  scenario.changes = without_overwritten(std::move(past));
  scenario.expectations.clear();
  return scenario;
}

}  // namespace spillway::plan
