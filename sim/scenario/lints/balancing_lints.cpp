#include <algorithm>
#include <vector>

#include "models/documents/problem.hpp"
#include "models/envoy/policies/registry.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/lints/settings.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::scenario::lints {
namespace {

bool goes_to(const Scenario& scenario, config::ServiceIndex asked, config::ServiceIndex service) {
  if (asked == service) {
    return true;
  }
  const auto members = members_of(scenario, asked);
  return std::find(members.begin(), members.end(), service) != members.end();
}

// True if some request goes to the service, and no request for it has a hash policy. Linear in routes and requests.
bool is_never_hashed(const Scenario& scenario, config::ServiceIndex service) {
  std::vector<bool> leads(scenario.routes.size(), false);
  for (std::size_t number = 0; number < leads.size(); ++number) {
    const auto& clusters = scenario.routes[number].clusters;
    leads[number] = std::any_of(clusters.begin(), clusters.end(),
                                [&](config::ServiceIndex asked) { return goes_to(scenario, asked, service); });
  }
  bool any = false;
  for (const ClientEntry& client : scenario.clients) {
    const Workload& workload = client.workload;
    any = any || (workload.requests.empty() && goes_to(scenario, workload.service, service));
    for (const RequestKind& kind : workload.requests) {
      if (leads[kind.route] && !scenario.routes[kind.route].route.action.hash_policy.empty()) {
        return false;
      }
      any = any || leads[kind.route];
    }
  }
  return any;
}

void warn_of_missing_hash(const LintedCluster& cluster, Diagnostics& problems) {
  const Service& service = cluster.service();
  const auto* const hashing = envoy::policies::consistent_hashing(service.cluster.lb_policy);
  if (hashing == nullptr || !hashing->hash_policy.empty() || service.hosts.size() < 2 || !cluster.places.routes_known ||
      !is_never_hashed(cluster.scenario, cluster.index)) {
    return;
  }
  Diagnostic& problem = problems.warning(
      "SP773", cluster.places.lb_policy.value_or(cluster.places.whole), "a hash policy that gets no hash",
      "no request for `{}` is hashed, so each goes to a random host", {service.name});
  if (cluster.places.no_hash.empty()) {
    problem.note("routes say what is hashed; without `hash_policy` no key keeps its host");
    problem.help("write a `hash_policy` in the route, or choose `RANDOM` if that is meant");
  } else {
    problem.notes.push_back(cluster.places.no_hash);
  }
}

void warn_of_zone_aware(const LintedCluster& cluster, Diagnostics& problems) {
  if (!cluster.places.zone_aware || cluster.scenario.local_cluster) {
    return;
  }
  problems
      .warning("SP783", *cluster.places.zone_aware, "zone-aware routing without a local cluster",
               "has no effect: requests spread over all zones")
      .note("a proxy compares the zones of the upstream with those of its own cluster, which is not known to it")
      .help("{}", {cluster.places.names.no_local_cluster});
}

}  // namespace

void warn_of_balancing(const LintedCluster& cluster, Diagnostics& problems) {
  warn_of_missing_hash(cluster, problems);
  warn_of_zone_aware(cluster, problems);
}

}  // namespace spillway::scenario::lints
