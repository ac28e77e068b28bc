#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "sim/diff/changes.hpp"
#include "sim/diff/look.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::diff {
namespace {

// By client, then by service: fraction of the client's requests.
using Parts = std::map<std::string, std::map<std::string, double>>;

Parts parts_of(const scenario::Scenario& still) {
  const run::Flows flows(still);
  const run::Traffic traffic(still, flows);
  Parts parts;
  for (const run::FlowIndex index : flows.all()) {
    const run::Flow& flow = flows.at(index);
    const scenario::ClientEntry& client = still.clients[flow.client.value];
    if (!client.zone_proxy) {
      parts[client.name][still.services[scenario::asked_for(still, flow.service).value].name] +=
          traffic.part_of_client(index);
    }
  }
  return parts;
}

double part_of(const std::map<std::string, double>& services, const std::string& name) {
  const auto found = services.find(name);
  return found == services.end() ? 0.0 : found->second;
}

}  // namespace

std::vector<Split> splits_of(const Look& before, const Look& after, std::size_t context) {
  const Parts old_parts = parts_of(before.still());
  Parts new_parts = parts_of(after.still());
  std::vector<Split> splits;
  for (const scenario::ClientEntry& client : after.still().clients) {
    const auto was = old_parts.find(client.name);
    const auto is = new_parts.find(client.name);
    if (was == old_parts.end() || is == new_parts.end()) {
      continue;
    }
    std::map<std::string, double> names = is->second;
    names.insert(was->second.begin(), was->second.end());
    Split split{.context = context, .client = client.name};
    for (const auto& [service, part] : names) {
      const Part change{service, part_of(was->second, service), part_of(is->second, service)};
      if (!same(change.before, change.after)) {
        split.services.push_back(change);
      }
    }
    if (!split.services.empty()) {
      splits.push_back(std::move(split));
    }
    new_parts.erase(is);
  }
  return splits;
}

}  // namespace spillway::diff
