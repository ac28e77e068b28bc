#include "sim/scenario/pasted/assumed_zones.hpp"

#include <algorithm>
#include <set>

#include "models/istio/names.hpp"

namespace spillway::scenario::pasted {
namespace {

bool has_place(const std::string& text) {
  return !text.empty() && text.front() != '*' && text.front() != '/';
}

}  // namespace

std::string AssumedZone::locality() const {
  return region + "/" + name + (sub_zone.empty() ? "" : "/" + sub_zone);
}

void collect_localities(const Json& value, const std::string& key, std::vector<std::string>& found) {
  const auto add = [&](const std::string& text) {
    if (has_place(text)) {
      found.push_back(text);
    }
  };
  if (value.is_array()) {
    for (const Json& item : value) {
      collect_localities(item, key, found);
    }
    return;
  }
  if (!value.is_object()) {
    if (key == "locality" && value.is_string()) {
      add(value.get<std::string>());
    }
    return;
  }
  const bool is_rule = key == "distribute" || key == "failover";
  for (const auto& [name, member] : value.items()) {
    if (is_rule && (name == "from" || name == "to") && member.is_string()) {
      add(member.get<std::string>());
    } else if (is_rule && name == "to" && member.is_object()) {
      for (const auto& [place, weight] : member.items()) {
        add(place);
      }
    } else {
      collect_localities(member, name, found);
    }
  }
}

std::vector<AssumedZone> zones_of_localities(const std::vector<std::string>& localities) {
  std::vector<AssumedZone> zones;
  std::vector<std::string> regions;
  const auto add = [&](const AssumedZone& zone) {
    const bool known = std::any_of(zones.begin(), zones.end(), [&](const AssumedZone& one) {
      return one.name == zone.name && one.region == zone.region &&
             (zone.sub_zone.empty() || one.sub_zone == zone.sub_zone);
    });
    if (!known) {
      zones.push_back(zone);
    }
  };
  for (const std::string& text : localities) {
    const config::Locality place = istio::split_locality(text);
    const auto part = [](const std::string& name) { return name == "*" ? std::string() : name; };
    if (part(place.zone).empty()) {
      regions.push_back(place.region);
    } else {
      add({.name = place.zone, .region = place.region, .sub_zone = part(place.sub_zone)});
    }
  }
  for (const std::string& region : regions) {
    if (std::none_of(zones.begin(), zones.end(), [&](const AssumedZone& zone) { return zone.region == region; })) {
      add({.name = region + "-a", .region = region, .is_named = false});
      add({.name = region + "-b", .region = region, .is_named = false});
    }
  }
  // With a rule about a single zone, assumes further zones, because the rule also affects them.
  if (zones.size() == 1) {
    const std::string region = zones.front().region;
    for (const char* const ending : {"-2", "-3"}) {
      add({.name = zones.front().name + ending, .region = region, .is_named = false});
    }
  }
  return zones;
}

}  // namespace spillway::scenario::pasted
