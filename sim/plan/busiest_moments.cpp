#include "sim/plan/busiest_moments.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "models/numeric/stable_sort.hpp"
#include "sim/plan/moment.hpp"
#include "sim/plan/objectives.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/rows.hpp"
#include "sim/plan/world.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::plan {
namespace {

using Nanoseconds = std::chrono::nanoseconds;

constexpr std::size_t most_looked_at = 16;

std::vector<Nanoseconds> with_fewest_endpoints(const scenario::Scenario& scenario, std::vector<Nanoseconds> moments) {
  if (moments.size() <= most_looked_at) {
    return moments;
  }
  std::map<Nanoseconds, std::size_t> endpoints;
  for (const Nanoseconds at : moments) {
    const std::vector<bool> present = World(scenario, at).present();
    endpoints[at] = static_cast<std::size_t>(std::count(present.begin(), present.end(), true));
  }
  numeric::stable_sort(moments, [&](Nanoseconds one, Nanoseconds other) { return endpoints[one] < endpoints[other]; });
  moments.resize(most_looked_at);
  std::sort(moments.begin(), moments.end());
  return moments;
}

// The effect of the failures at one time; a time with a greater Hardness is harder to plan for.
struct Hardness {
  study::Verdict judgement = study::Verdict::met;  // the worst over all failures
  double growth = 0.0;                             // headroom that is left, times -1
  double failed = 0.0;                             // the largest over all failures

  auto operator<=>(const Hardness& other) const = default;
};

// Returns nullopt if the file does not allow these counts.
std::optional<Hardness> hardness_at(const scenario::ScenarioTemplate& base, Nanoseconds at, double growth,
                                    const Counts& counts) {
  const Variants variants(base, at, growth, {.replications = 1, .jobs = 1});
  const std::optional<Variant> variant = variants.with(counts);
  if (!variant) {
    return std::nullopt;
  }
  const std::vector<Row> rows = rows_of(variants, *variant, bounds_of(*base.reading().scenario));
  Hardness hardness;
  for (const Row& row : rows) {
    hardness.judgement = row.has_no_traffic() ? hardness.judgement : std::max(hardness.judgement, row.judgement());
    hardness.failed = std::max(hardness.failed, row.failed);
  }
  hardness.growth = -headroom_of(rows).growth;
  return hardness;
}

// Returns one set of entries per service that clients send for, and one per zone that they send from.
std::vector<Entries> parts_of(const scenario::Scenario& scenario) {
  std::map<std::pair<bool, std::uint32_t>, Entries> parts;
  for (std::uint32_t index = 0; index < scenario.clients.size(); ++index) {
    const scenario::ClientEntry& entry = scenario.clients[index];
    const auto add = [&](bool zone, std::uint32_t number) {
      Entries& part = parts[{zone, number}];
      part.resize(scenario.clients.size());
      part[index] = true;
    };
    for (const config::ServiceIndex service : scenario::services_of(scenario, entry)) {
      add(false, service.value);
    }
    add(true, scenario.nodes[entry.node.value].zone.value);
  }
  std::vector<Entries> lists;
  std::set<Entries> known;
  for (auto& [key, part] : parts) {
    if (known.insert(part).second) {
      lists.push_back(std::move(part));
    }
  }
  return lists;
}

// Adds the times at which a part of the clients sends more than at any time so far.
void add_peaks_of_parts(const scenario::Scenario& scenario, Nanoseconds first, std::vector<Nanoseconds>& others) {
  for (const Entries& part : parts_of(scenario)) {
    const Nanoseconds peak = busiest_moment(scenario, part);
    const double most = rate_at(scenario, peak, part);
    // A ramp's end is evaluated one nanosecond earlier.
    const auto sends_less = [&](Nanoseconds at) { return rate_at(scenario, at, part) < most * (1.0 - 1e-9); };
    if (sends_less(first) && std::all_of(others.begin(), others.end(), sends_less)) {
      others.push_back(peak);
    }
  }
}

}  // namespace

BusiestMoments busiest_moments(const scenario::Scenario& scenario) {
  BusiestMoments moments;
  moments.first = busiest_moment(scenario);
  moments.all = {moments.first};
  const bool recorded = std::any_of(scenario.clients.begin(), scenario.clients.end(),
                                    [](const scenario::ClientEntry& entry) { return entry.workload.trace != nullptr; });
  std::vector<Nanoseconds> others;
  if (!recorded) {
    others = equally_busy(scenario, moments.first);
    add_peaks_of_parts(scenario, moments.first, others);
  }
  std::optional<World> at_first;
  for (const Nanoseconds at : others) {
    if (!at_first) {
      at_first.emplace(scenario, moments.first);
    }
    const bool worse = World(scenario, at).has_trouble_beyond(*at_first);
    (worse ? moments.in_trouble : moments.all).push_back(at);
  }
  std::sort(moments.all.begin(), moments.all.end());
  std::sort(moments.in_trouble.begin(), moments.in_trouble.end());
  return moments;
}

Nanoseconds hardest_moment(const scenario::ScenarioTemplate& base, const BusiestMoments& moments, double growth) {
  if (moments.all.size() == 1) {
    return moments.all.front();
  }
  Nanoseconds hardest = moments.all.front();
  std::optional<Hardness> most;
  for (const Nanoseconds at : with_fewest_endpoints(*base.reading().scenario, moments.all)) {
    const Hardness one = hardness_at(base, at, growth, {}).value_or(Hardness{});
    if (!most || *most < one) {
      most = one;
      hardest = at;
    }
  }
  return hardest;
}

std::optional<Nanoseconds> moment_that_fails(const scenario::ScenarioTemplate& base, const BusiestMoments& moments,
                                             double growth, const Counts& counts) {
  for (const Nanoseconds at : with_fewest_endpoints(*base.reading().scenario, moments.all)) {
    const std::optional<Hardness> one = hardness_at(base, at, growth, counts);
    if (one && one->judgement == study::Verdict::missed) {
      return at;
    }
  }
  return std::nullopt;
}

Nanoseconds hardest_moment(const scenario::ScenarioTemplate& base, double growth) {
  return hardest_moment(base, busiest_moments(*base.reading().scenario), growth);
}

}  // namespace spillway::plan
