#include "sim/diff/side.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "sim/plan/failures.hpp"
#include "sim/plan/moment.hpp"
#include "sim/plan/variants.hpp"

namespace spillway::diff {
namespace {

const std::string& name_in_region(const scenario::Zone& zone) {
  return zone.locality_zone ? *zone.locality_zone : zone.name;
}

// Returns the side's regions of each zone name.
std::map<std::string, std::set<std::string>> regions_of(const Side& side) {
  std::map<std::string, std::set<std::string>> regions;
  for (const scenario::Zone& zone : side.scenario().zones) {
    regions[name_in_region(zone)].insert(zone.region);
  }
  return regions;
}

void call_zones_by_region(const std::set<std::string>& names, scenario::Scenario& scenario) {
  for (scenario::Zone& zone : scenario.zones) {
    const std::string name = name_in_region(zone);
    if (names.contains(name)) {
      zone.name = scenario::name_with_region(zone.region, name);
      zone.locality_zone = name;
    }
  }
}

// True if names stay unique, as they do if none changes: a name may contain slashes and equal another zone's name with
// its region.
bool stay_unique(const Side& side, const std::set<std::string>& names) {
  if (names.empty()) {
    return true;
  }
  scenario::Scenario renamed = side.scenario();
  call_zones_by_region(names, renamed);
  std::set<std::string> seen;
  return std::all_of(renamed.zones.begin(), renamed.zones.end(),
                     [&](const scenario::Zone& zone) { return seen.insert(zone.name).second; });
}

}  // namespace

void Side::rename(const std::set<std::string>& zones, EndpointNames endpoints) {
  if (zones.empty() && endpoints.empty()) {
    return;
  }
  by_region_ = zones;
  endpoint_names_ = std::move(endpoints);
  renamed_ = scenario();
  rename(*renamed_);
}

void Side::rename(scenario::Scenario& scenario) const {
  call_zones_by_region(by_region_, scenario);
  rename_endpoints(endpoint_names_, scenario);
}

void match_names(Side& before, Side& after) {
  const auto old_regions = regions_of(before);
  std::set<std::string> ambiguous;
  for (const auto& [name, regions] : regions_of(after)) {
    const auto old = old_regions.find(name);
    if (old != old_regions.end() && old->second != regions && *old->second.rbegin() != "" && *regions.rbegin() != "") {
      ambiguous.insert(name);
    }
  }
  if (!stay_unique(before, ambiguous) || !stay_unique(after, ambiguous)) {
    ambiguous.clear();
  }
  before.rename(ambiguous, {});
  after.rename(ambiguous, names_as_before(before.tree(), after.tree()));
}

scenario::Scenario Side::still(Nanoseconds at, const plan::Failure* failure) const {
  std::vector<scenario::Change> changes;
  if (failure != nullptr) {
    changes = plan::changes_of(scenario(), *failure, at);
  }
  if (base_ && !changes.empty()) {
    // Changes reject nothing.
    scenario::Scenario varied = *base_->vary({.counts = {}, .changes = std::move(changes)});
    rename(varied);
    return plan::at_moment(std::move(varied), at, 1.0);
  }
  scenario::Scenario scenario = this->scenario();
  for (scenario::Change& change : changes) {
    const auto later = std::upper_bound(
        scenario.changes.begin(), scenario.changes.end(), change,
        [](const scenario::Change& left, const scenario::Change& right) { return left.at < right.at; });
    scenario.changes.insert(later, std::move(change));
  }
  return plan::at_moment(std::move(scenario), at, 1.0);
}

plan::Simulated Side::simulated(Nanoseconds at, const plan::Failure& failure, Nanoseconds length) const {
  const plan::Variants variants(*base_, at, 1.0);
  plan::Simulated simulated = variants.simulated(*variants.with({}), failure);
  rename(simulated.scenario);
  // No change is later than the failure. Without a failure, all changes are part of the state before it.
  for (scenario::Change& change : simulated.scenario.changes) {
    change.at = change.at > Nanoseconds{0} ? length : change.at;
  }
  simulated.scenario.duration = 2 * length;
  simulated.measured_from = length;
  return simulated;
}

}  // namespace spillway::diff
