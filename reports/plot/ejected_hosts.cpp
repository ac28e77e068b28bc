#include "reports/plot/ejected_hosts.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "sim/run/results.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::reports::plot {
namespace {

// Returns the clusters that a client's requests to a service end in.
std::set<config::ServiceIndex> clusters_of(const scenario::Scenario& scenario, const scenario::ClientEntry& client,
                                           config::ServiceIndex service) {
  std::set<config::ServiceIndex> clusters;
  for (const config::ServiceIndex view : scenario::services_of(scenario, client)) {
    if (scenario::asked_for(scenario, view) == service) {
      const std::vector<config::ServiceIndex> members = scenario::members_of(scenario, view);
      clusters.insert(members.begin(), members.end());
    }
  }
  return clusters;
}

}  // namespace

std::vector<EjectedHosts> ejected_hosts(const scenario::Scenario& scenario, const run::Results& results,
                                        std::optional<config::ClientEntryIndex> client, config::ServiceIndex service,
                                        run::Nanoseconds resolution) {
  std::map<config::ClientEntryIndex, std::set<config::ServiceIndex>> clusters;
  double proxies = 0.0;
  for (const run::Epoch& epoch : results.epochs) {
    if (epoch.service == service && (!client || epoch.client == *client) && !clusters.contains(epoch.client)) {
      const scenario::ClientEntry& entry = scenario.clients[epoch.client.value];
      clusters.emplace(epoch.client, clusters_of(scenario, entry, service));
      proxies += entry.count;
    }
  }
  std::vector<EjectedHosts> stretches;
  run::Nanoseconds begin{0};
  double now = 0.0;
  double highest = 0.0;
  const auto close = [&](run::Nanoseconds end) {
    if (highest > 0.0 && end > begin) {
      stretches.push_back({begin, end, highest / proxies});
    }
    begin = end;
    highest = now;
  };
  for (const run::Ejection& ejection : results.ejections) {
    const auto found = clusters.find(ejection.client);
    if (found == clusters.end() || !found->second.contains(ejection.cluster)) {
      continue;
    }
    if (ejection.at - begin >= resolution) {
      close(ejection.at);
    }
    now += ejection.ejected ? 1.0 : -1.0;
    highest = ejection.at == begin ? now : std::max(highest, now);
  }
  close(scenario.duration);
  return stretches;
}

}  // namespace spillway::reports::plot
