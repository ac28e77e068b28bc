#include "sim/run/records/load_periods.hpp"

#include <algorithm>
#include <type_traits>
#include <variant>

#include "models/envoy/policies/registry.hpp"
#include "sim/run/results.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::run {

namespace {

bool updates_proxies(const scenario::Change& change) {
  return std::visit([](const auto& effect) { return scenario::is_reported<std::decay_t<decltype(effect)>>; },
                    change.effect);
}

void sort_and_unite(std::vector<Nanoseconds>& times) {
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
}

}  // namespace

std::vector<Stretch> stretches_between(const std::vector<Nanoseconds>& ends) {
  std::vector<Stretch> stretches;
  Nanoseconds start{0};
  for (const Nanoseconds end : ends) {
    stretches.push_back({start, end});
    start = end;
  }
  return stretches;
}

std::vector<Nanoseconds> period_ends(const scenario::Scenario& scenario, std::optional<Nanoseconds> sample,
                                     CutAt changes, std::span<const Nanoseconds> cuts) {
  std::vector<Nanoseconds> ends{scenario.duration};
  ends.insert(ends.end(), cuts.begin(), cuts.end());
  if (sample) {
    for (const Stretch& stretch : sample_stretches(*sample, scenario.duration)) {
      ends.push_back(stretch.end);
    }
  }
  for (const Stretch& window : window_stretches(scenario)) {
    ends.push_back(window.start);
    ends.push_back(window.end);
  }
  for (const scenario::Change& change : scenario.changes) {
    if (changes == CutAt::every_change || updates_proxies(change)) {
      ends.push_back(change.at);
    }
  }
  sort_and_unite(ends);
  std::erase(ends, Nanoseconds{0});
  return ends;
}

std::pair<std::size_t, std::size_t> periods_of(const Stretch& stretch, const std::vector<Nanoseconds>& ends) {
  const auto first = std::upper_bound(ends.begin(), ends.end(), stretch.start);
  const auto last = std::upper_bound(first, ends.end(), stretch.end);
  return {static_cast<std::size_t>(first - ends.begin()), static_cast<std::size_t>(last - ends.begin())};
}

std::vector<Stretch> epoch_stretches(const Results& results) {
  std::vector<Nanoseconds> ends;
  for (const Epoch& epoch : results.epochs) {
    ends.push_back(epoch.end);
  }
  sort_and_unite(ends);
  return stretches_between(ends);
}

std::vector<Stretch> sample_stretches(Nanoseconds interval, Nanoseconds duration) {
  std::vector<Nanoseconds> ends;
  for (Nanoseconds at = interval; at < duration; at += interval) {
    ends.push_back(at);
  }
  ends.push_back(duration);
  return stretches_between(ends);
}

std::vector<Stretch> window_stretches(const scenario::Scenario& scenario) {
  std::vector<Stretch> stretches;
  for (const auto& [from, to] : scenario::utilisation_windows(scenario.expectations)) {
    stretches.push_back({from, to});
  }
  return stretches;
}

std::vector<Stretch> parts_of(const Stretch& window) {
  const Nanoseconds length = window.end - window.start;
  std::vector<Stretch> parts;
  for (std::int64_t part = 0; part < parts_of_window && length.count() >= parts_of_window; ++part) {
    // Division comes first: a window of years times the number of parts exceeds 64 bits.
    const auto boundary = [&](std::int64_t number) {
      return window.start + length / parts_of_window * number + length % parts_of_window * number / parts_of_window;
    };
    parts.push_back({boundary(part), boundary(part + 1)});
  }
  return parts;
}

std::vector<std::optional<config::ServiceIndex>> services_of_endpoints(const scenario::Scenario& scenario) {
  std::vector<std::optional<config::ServiceIndex>> services(scenario.endpoints.size());
  for (std::uint32_t index = 0; index < scenario.services.size(); ++index) {
    for (const scenario::Host& host : scenario.services[index].hosts) {
      std::optional<config::ServiceIndex>& service = services[host.endpoint.value];
      if (!host.forwards_to && !service) {
        service = scenario::asked_for(scenario, config::ServiceIndex{index});
      }
    }
  }
  return services;
}

}  // namespace spillway::run
