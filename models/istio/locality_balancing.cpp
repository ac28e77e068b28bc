// Applies settings to a load assignment: weights by `distribute`, priorities by labels, localities and regions.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/istio/load_assignment.hpp"
#include "models/istio/proxy.hpp"

namespace spillway::istio {

namespace {

// Renumbers the existing priorities to 0, 1, 2, ... in their order.
void close_gaps(std::vector<AssignedLocality>& localities) {
  std::map<std::uint32_t, std::uint32_t> renumbered;
  for (const AssignedLocality& group : localities) {
    renumbered[group.priority] = 0;
  }
  std::uint32_t next = 0;
  for (auto& [priority, number] : renumbered) {
    number = next++;
  }
  for (AssignedLocality& group : localities) {
    group.priority = renumbered.at(group.priority);
  }
}

// Distributes one key's percentage: percent * weight / sum, rounded up for each group. The product wraps at 32 bits, as
// in istiod.
void share_out(std::uint32_t percent, const std::vector<AssignedLocality*>& groups) {
  std::uint32_t sum = 0;
  for (AssignedLocality* const group : groups) {
    group->weight = std::max(group->weight, 1U);
    sum += group->weight;
  }
  for (AssignedLocality* const group : groups) {
    const double weight = static_cast<double>(group->weight * percent) / static_cast<double>(sum);
    if (weight > 0) {
      group->weight = static_cast<std::uint32_t>(std::ceil(weight));
    }
  }
}

void distribute(const std::vector<LocalityLbSetting::Distribute>& entries, const config::Locality& proxy,
                LoadAssignment& assignment) {
  const auto entry = std::find_if(entries.begin(), entries.end(), [&](const LocalityLbSetting::Distribute& candidate) {
    return locality_matches(proxy, candidate.from);
  });
  if (entry == entries.end()) {
    return;
  }
  assignment.distribute_entry = static_cast<std::size_t>(entry - entries.begin());
  std::set<const AssignedLocality*> taken;
  for (std::size_t key = 0; key < entry->to.size(); ++key) {
    std::vector<AssignedLocality*> groups;
    for (AssignedLocality& group : assignment.localities) {
      if (locality_matches(group.locality, entry->to[key].first) && taken.insert(&group).second) {
        group.placement = {PlacedBy::distribute, key};
        groups.push_back(&group);
      }
    }
    share_out(entry->to[key].second, groups);
  }
  for (AssignedLocality& group : assignment.localities) {
    if (!taken.contains(&group)) {
      group.placement = {.by = PlacedBy::no_key};
      group.endpoints.clear();
    }
  }
}

struct WantedLabel {
  std::string name;
  std::string value;
};

// Returns the wanted labels. An entry `label=value` wants that value, any other entry the proxy's value. If a label
// occurs several times, all occurrences want the same value.
std::vector<WantedLabel> wanted_labels(const std::vector<std::string>& entries, const Labels& proxy) {
  Labels overridden;
  std::vector<WantedLabel> wanted;
  for (const std::string& entry : entries) {
    const std::size_t equals = entry.find('=');
    WantedLabel& label = wanted.emplace_back();
    label.name = entry.substr(0, equals);
    if (equals != std::string::npos && entry.find('=', equals + 1) == std::string::npos) {
      overridden[label.name] = entry.substr(equals + 1);
    }
  }
  for (WantedLabel& label : wanted) {
    const auto found = overridden.find(label.name);
    label.value = found == overridden.end() ? value_of(proxy, label.name) : found->second;
  }
  return wanted;
}

struct LabelPriority {
  std::uint32_t priority = 0;
  std::size_t matched = 0;
};

LabelPriority priority_of(const AssignedEndpoint& endpoint, const std::vector<WantedLabel>& wanted,
                          bool network_first) {
  const auto count = static_cast<std::uint32_t>(wanted.size());
  LabelPriority found{.matched = wanted.size()};
  std::uint32_t beyond_network = 0;
  for (std::size_t label = 0; label < wanted.size(); ++label) {
    if (value_of(endpoint.labels, wanted[label].name) == wanted[label].value) {
      continue;
    }
    found.matched = std::min(found.matched, label);
    if (label == 0 && network_first) {
      beyond_network = count;
      continue;
    }
    found.priority = count - static_cast<std::uint32_t>(label);
    break;
  }
  found.priority += beyond_network;
  return found;
}

// Splits each group by priority.
void fail_over_by_labels(const std::vector<std::string>& entries, bool network_preferred, const Proxy& proxy,
                         LoadAssignment& assignment) {
  if (proxy.labels.empty()) {
    return;
  }
  const std::vector<WantedLabel> wanted = wanted_labels(entries, proxy.labels);
  const bool network_first = network_preferred && entries.front() == network_label;
  std::vector<AssignedLocality> split;
  for (AssignedLocality& group : assignment.localities) {
    std::map<std::uint32_t, AssignedLocality> by_priority;
    for (AssignedEndpoint& endpoint : group.endpoints) {
      const LabelPriority found = priority_of(endpoint, wanted, network_first);
      AssignedLocality& part = by_priority[found.priority];
      part.placement = {PlacedBy::failover_priority, found.matched};
      part.weight += endpoint.weight;
      part.endpoints.push_back(std::move(endpoint));
    }
    for (auto& [priority, part] : by_priority) {
      part.locality = group.locality;
      part.priority = priority;
      split.push_back(std::move(part));
    }
  }
  assignment.localities = std::move(split);
  close_gaps(assignment.localities);
}

using Distance = LocalityDistance (*)(const config::Locality&, const config::Locality&,
                                      const std::vector<LocalityLbSetting::Failover>&);

// Sets priorities by distance, after those set by labels. `steps` is the number of priorities that a distance may have.
void fail_over_by_locality(const std::vector<LocalityLbSetting::Failover>& failover, const config::Locality& proxy,
                           Distance distance_of, std::uint32_t steps, PlacedBy otherwise, LoadAssignment& assignment) {
  for (AssignedLocality& group : assignment.localities) {
    const LocalityDistance found = distance_of(proxy, group.locality, failover);
    group.priority = group.priority * steps + found.priority;
    if (found.entry) {
      group.placement = {PlacedBy::failover, *found.entry};
    } else if (group.placement.by != PlacedBy::failover_priority) {
      group.placement = {.by = otherwise};
    }
  }
  close_gaps(assignment.localities);
}

void apply_locality(const LocalityLbSetting& setting, bool network_preferred, const Proxy& proxy, bool fails_over,
                    LoadAssignment& assignment) {
  if (!setting.distribute.empty()) {
    distribute(setting.distribute, proxy.locality, assignment);
    return;
  }
  if (!fails_over) {
    return;
  }
  if (!setting.failoverPriority.empty()) {
    fail_over_by_labels(setting.failoverPriority, network_preferred, proxy, assignment);
  }
  if (setting.failoverPriority.empty() || !setting.failover.empty()) {
    fail_over_by_locality(setting.failover, proxy.locality, distance, 5, PlacedBy::locality, assignment);
  }
}

void apply_zone_aware(const ZoneAwareLbSetting& setting, const Proxy& proxy, LoadAssignment& assignment) {
  if (!setting.enabled.value_or(true)) {
    return;
  }
  if (!setting.failoverPriority.empty()) {
    fail_over_by_labels(setting.failoverPriority, true, proxy, assignment);
  }
  fail_over_by_locality(setting.failover, proxy.locality, region_distance, 3, PlacedBy::region, assignment);
}

}  // namespace

void apply(const EffectiveSetting& setting, const Proxy& proxy, bool outlier_detection, LoadAssignment& assignment) {
  if (const auto* const locality = std::get_if<LocalityLbSetting>(&setting.value)) {
    apply_locality(*locality, setting.network_preferred, proxy, outlier_detection || setting.forced, assignment);
  } else if (const auto* const zone_aware = std::get_if<ZoneAwareLbSetting>(&setting.value)) {
    apply_zone_aware(*zone_aware, proxy, assignment);
  }
}

}  // namespace spillway::istio
