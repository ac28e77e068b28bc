#include "models/kuma/failover_groups.hpp"

#include <algorithm>

#include "models/kuma/digest.hpp"

namespace spillway::kuma {

namespace {

ToZoneType type_of(const Failover& rule) {
  const std::string_view type = rule.to ? value_of(rule.to->type) : std::string_view();
  if (type == "Only") {
    return ToZoneType::only;
  }
  if (type == "Any") {
    return ToZoneType::any;
  }
  return type == "AnyExcept" ? ToZoneType::any_except : ToZoneType::none;
}

bool concerns(const Failover& rule, std::string_view client_zone) {
  if (!rule.from) {
    return true;
  }
  const auto& zones = rule.from->zones;
  return zones && std::find(zones->begin(), zones->end(), client_zone) != zones->end();
}

FailoverGroup make_group(const Failover& rule, std::size_t position, std::size_t before) {
  FailoverGroup group;
  group.rule = position;
  group.type = type_of(rule);
  group.priority = static_cast<std::uint32_t>(before + 1);
  const bool names_zones = group.type == ToZoneType::only || group.type == ToZoneType::any_except;
  if (names_zones && rule.to->zones) {
    group.zones.insert(rule.to->zones->begin(), rule.to->zones->end());
  }
  return group;
}

}  // namespace

std::vector<FailoverGroup> failover_groups(const Conf& conf, std::string_view client_zone,
                                           config::KumaProfile profile) {
  std::vector<FailoverGroup> groups;
  if (!conf.localityAwareness || !conf.localityAwareness->crossZone || !conf.localityAwareness->crossZone->failover) {
    return groups;
  }
  const bool document = profile == config::KumaProfile::document;
  const std::vector<Failover>& rules = *conf.localityAwareness->crossZone->failover;
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    if (!concerns(rules[rule], client_zone)) {
      continue;
    }
    FailoverGroup group = make_group(rules[rule], rule, document ? groups.size() : rule);
    if (document && group.type == ToZoneType::any_except && group.zones.contains(client_zone)) {
      continue;
    }
    groups.push_back(std::move(group));
    if (document && groups.back().type == ToZoneType::none) {
      break;
    }
  }
  return groups;
}

bool admits(const FailoverGroup& group, std::string_view zone) {
  switch (group.type) {
    case ToZoneType::any:
      return true;
    case ToZoneType::only:
      return group.zones.contains(zone);
    case ToZoneType::any_except:
      return !group.zones.contains(zone);
    case ToZoneType::none:
      break;
  }
  return false;
}

const FailoverGroup* find_group(const std::vector<FailoverGroup>& groups, std::string_view zone) {
  const auto found =
      std::find_if(groups.begin(), groups.end(), [zone](const FailoverGroup& group) { return admits(group, zone); });
  return found == groups.end() ? nullptr : &*found;
}

std::string egress_zone(const std::vector<FailoverGroup>& groups) {
  constexpr std::size_t kept_characters = 8;
  std::string text;
  for (const FailoverGroup& group : groups) {
    if (group.type == ToZoneType::none) {
      continue;
    }
    text += std::to_string(group.priority) + ":";
    if (group.type != ToZoneType::only) {
      text += group.type == ToZoneType::any ? "Any" : "AnyExcept:";
    }
    for (auto zone = group.zones.begin(); zone != group.zones.end(); ++zone) {
      text += (zone == group.zones.begin() ? "" : ",") + *zone;
    }
    text += ";";
  }
  return "egress_" + base64_sha256(text).substr(0, kept_characters);
}

}  // namespace spillway::kuma
