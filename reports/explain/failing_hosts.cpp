#include "reports/explain/failing_hosts.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "reports/explain/simulated.hpp"
#include "reports/explain/wording.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::reports::explain {

std::vector<config::ServiceIndex> clusters_of(const scenario::Scenario& scenario, const SimulatedQuestion& question) {
  std::vector<config::ServiceIndex> clusters;
  for (const config::ServiceIndex service : scenario::services_of(scenario, scenario.clients[question.client.value])) {
    if (scenario::asked_for(scenario, service) == question.service) {
      const auto members = scenario::members_of(scenario, service);
      clusters.insert(clusters.end(), members.begin(), members.end());
    }
  }
  return clusters;
}

std::vector<config::EndpointIndex> failing_hosts(const scenario::Scenario& scenario, config::ServiceIndex cluster,
                                                 const SimulatedQuestion& question) {
  const scenario::ActualState actual = scenario::actual_at(scenario, question.at);
  const config::ZoneIndex zone = scenario.nodes[scenario.clients[question.client.value].node.value].zone;
  const scenario::EdsState reported = scenario::eds_state_at(scenario, zone, question.at);
  std::vector<config::EndpointIndex> failing;
  const std::vector<scenario::Host>& hosts = scenario.services[cluster.value].hosts;
  for (std::size_t position = 0; position < hosts.size(); ++position) {
    const scenario::Host& host = hosts[position];
    const scenario::Failing& how = actual.of(host.endpoint).failing;
    if (!host.forwards_to && reported.of(cluster).absent[position] == 0 &&
        (!actual.answers(host.endpoint) || how.fraction > 0.0 || how.every > 0)) {
      failing.push_back(host.endpoint);
    }
  }
  return failing;
}

Step not_ejected_step(const scenario::Scenario& scenario, const SimulatedProxy& simulated,
                      const SimulatedQuestion& question) {
  Step step{.name = "not ejected", .sources = {source::host_pick("17"), "Envoy outlier_detection_impl.cc"}};
  for (const config::ServiceIndex cluster : clusters_of(scenario, question)) {
    const auto& detection = scenario.services[cluster.value].cluster.outlier_detection;
    if (!detection) {
      continue;
    }
    const std::string needs =
        detection->enforcing_consecutive_5xx == 0
            ? std::string("enforcing_consecutive_5xx is 0")
            : fmt::format("{} answers of 5xx in a row eject a host (consecutive_5xx)", detection->consecutive_5xx);
    std::vector<std::string> names;
    for (const config::EndpointIndex endpoint : failing_hosts(scenario, cluster, question)) {
      const bool decided =
          std::any_of(simulated.known.begin(), simulated.known.end(), [&](const run::EventRecord& record) {
            return record.service == cluster && record.endpoint == std::optional(endpoint) &&
                   (record.kind == run::EventKind::ejected || record.kind == run::EventKind::ejection_prevented);
          });
      if (!decided) {
        names.push_back(printable(scenario.endpoints[endpoint.value].id));
      }
    }
    if (!names.empty()) {
      step.facts.push_back(words(some_of(names), needs));
    }
  }
  return step;
}

}  // namespace spillway::reports::explain
