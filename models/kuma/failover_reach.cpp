#include "models/kuma/failover_reach.hpp"

#include <algorithm>
#include <set>

#include "models/kuma/failover_groups.hpp"

namespace spillway::kuma {

namespace {

constexpr std::size_t most_steps = 5'000'000;

using Zones = std::set<std::string, std::less<>>;

void insert_all(const std::optional<std::vector<std::string>>& names, Zones& into) {
  if (names) {
    into.insert(names->begin(), names->end());
  }
}

Zones named_zones(const std::vector<Failover>& rules) {
  Zones named;
  for (const Failover& rule : rules) {
    insert_all(rule.from ? rule.from->zones : std::nullopt, named);
    insert_all(rule.to ? rule.to->zones : std::nullopt, named);
  }
  return named;
}

// Returns the existing zones. If they are unknown, returns the named zones and two more, a client's and another one:
// more unnamed zones would behave alike.
Zones zones_to_try(const Zones& named, const std::vector<std::string>& existing) {
  if (existing.empty()) {
    Zones zones = named;
    zones.insert({"", " "});  // no zone is called so
    return zones;
  }
  Zones zones;
  std::size_t unnamed = 0;
  for (const std::string& zone : existing) {
    if (named.contains(zone) || unnamed++ < 2) {
      zones.insert(zone);
    }
  }
  return zones;
}

class Walk {
 public:
  Walk(const Conf& conf, std::size_t rules, config::KumaProfile profile)
      : conf_(conf), document_(profile == config::KumaProfile::document), seen_(rules) {}

  void client(const std::string& zone, const Zones& zones) {
    Zones left = zones;
    left.erase(zone);
    if (left.empty()) {
      return;
    }
    std::map<std::string, std::size_t, std::less<>> taken_by;
    std::optional<std::size_t> end;
    for (const FailoverGroup& group : failover_groups(conf_, zone, config::KumaProfile::release_2_14)) {
      Seen& rule = seen_[group.rule];
      if (end) {
        rule.ended_by = std::max(rule.ended_by.value_or(0), *end);
      } else {
        rule.open = true;
      }
      see_named(group, zone, taken_by, rule);
      for (const std::string& other : zones) {
        if (other != zone && gives(group, zone, other)) {
          rule.admits = true;
          if (!end && left.erase(other) > 0) {
            rule.gains = true;
            taken_by.emplace(other, group.rule);
          }
        }
      }
      if (!end && (left.empty() || (document_ && group.type == ToZoneType::none))) {
        end = group.rule;
      }
    }
  }

  std::vector<FailoverReach> finish() {
    std::vector<FailoverReach> reach;
    for (Seen& rule : seen_) {
      FailoverReach& result = reach.emplace_back();
      result.ended_by = rule.open ? std::nullopt : rule.ended_by;
      result.never_reached = !result.ended_by && rule.admits && !rule.gains;
      for (auto& [zone, by] : rule.taken) {
        if (!rule.fresh.contains(zone)) {
          result.taken.emplace(zone, by);
        }
      }
    }
    return reach;
  }

 private:
  struct Seen {
    bool open = false;  // for at least one client, the list has not ended before
    std::optional<std::size_t> ended_by = {};
    bool admits = false;
    bool gains = false;
    std::map<std::string, std::size_t> taken = {};
    Zones fresh = {};  // named zones that are not taken for at least one client
  };

  // True if the group gives the zone to the client. In the profile `document`, `AnyExcept` gives nothing to the clients
  // of a zone that it names.
  [[nodiscard]] bool gives(const FailoverGroup& group, const std::string& client, const std::string& zone) const {
    const bool to_this_client = !document_ || group.type != ToZoneType::any_except || !group.zones.contains(client);
    return to_this_client && admits(group, zone);
  }

  template <class TakenBy>
  static void see_named(const FailoverGroup& group, const std::string& client, const TakenBy& taken_by, Seen& rule) {
    for (const std::string& zone : group.zones) {
      if (group.type != ToZoneType::only || zone == client) {
        continue;
      }
      if (const auto found = taken_by.find(zone); found != taken_by.end()) {
        rule.taken.emplace(zone, found->second);
      } else {
        rule.fresh.insert(zone);
      }
    }
  }

  const Conf& conf_;
  bool document_;           // the profile: `None` ends the list, too
  std::vector<Seen> seen_;  // by rule
};

}  // namespace

std::vector<FailoverReach> failover_reach(const Conf& conf, const std::vector<std::string>& zones,
                                          config::KumaProfile profile) {
  const auto& awareness = conf.localityAwareness;
  if (!awareness || !awareness->crossZone || !awareness->crossZone->failover) {
    return {};
  }
  const std::vector<Failover>& rules = *awareness->crossZone->failover;
  const Zones tried = zones_to_try(named_zones(rules), zones);
  if (tried.size() * tried.size() > most_steps / std::max<std::size_t>(rules.size(), 1)) {
    return std::vector<FailoverReach>(rules.size());
  }
  Walk walk(conf, rules.size(), profile);
  for (const std::string& client : tried) {
    walk.client(client, tried);
  }
  return walk.finish();
}

}  // namespace spillway::kuma
