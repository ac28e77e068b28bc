#include <set>
#include <string>
#include <utility>

#include "models/istio/proxy.hpp"
#include "sim/diff/changes.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::diff {
namespace {

using Named = std::pair<std::string, std::string>;  // kind and name

std::vector<Named> all_of(const scenario::Scenario& scenario) {
  std::vector<Named> all;
  for (const scenario::Zone& zone : scenario.zones) {
    all.emplace_back("zone", zone.name);
  }
  for (const scenario::Endpoint& endpoint : scenario.endpoints) {
    if (!endpoint.assumed) {
      all.emplace_back("endpoint", endpoint.id);
    }
  }
  for (const scenario::ClientEntry& client : scenario.clients) {
    if (!client.zone_proxy) {
      all.emplace_back("client", client.name);
      for (const config::ServiceIndex service : scenario::services_of(scenario, client)) {
        all.emplace_back("request",
                         client.name + " -> " + scenario.services[scenario::asked_for(scenario, service).value].name);
      }
    }
  }
  return all;
}

}  // namespace

std::vector<Presence> presences_of(const scenario::Scenario& before, const scenario::Scenario& after) {
  const std::vector<Named> old_names = all_of(before);
  const std::vector<Named> new_names = all_of(after);
  std::vector<Presence> presences;
  std::set<Named> seen;
  const auto add = [&](const std::vector<Named>& names, const std::vector<Named>& others, bool added) {
    const std::set<Named> known(others.begin(), others.end());
    for (const Named& named : names) {
      if (!known.contains(named) && seen.insert(named).second) {
        presences.push_back({named.first, named.second, added});
      }
    }
  };
  add(new_names, old_names, true);
  add(old_names, new_names, false);
  return presences;
}

}  // namespace spillway::diff
