#include "reports/envoy/moment.hpp"

#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::reports::envoy_export {

Moment moment_of(const scenario::Scenario& scenario, const scenario::ClientEntry& client, scenario::Nanoseconds at) {
  const scenario::ActualState actual = scenario::actual_at(scenario, at);
  const scenario::EdsState reported = scenario::eds_state_at(scenario, scenario.nodes[client.node.value].zone, at);
  Moment moment{.hosts = {}, .locality_weights = {}, .reported_over_time = scenario::ever_changed(scenario).reported};
  for (std::uint32_t service = 0; service < scenario.services.size(); ++service) {
    const scenario::EdsHosts& of = reported.of({service});
    moment.locality_weights.push_back(of.locality_weights);
    std::vector<HostAtMoment>& hosts = moment.hosts.emplace_back();
    for (std::size_t host = 0; host < of.health.size(); ++host) {
      const config::EndpointIndex endpoint = scenario.services[service].hosts[host].endpoint;
      const scenario::EndpointState& state = actual.of(endpoint);
      HostAtMoment& now = hosts.emplace_back();
      now.reported = of.health[host];
      now.weight = of.weights.empty() ? std::nullopt : std::optional(of.weights[host]);
      now.member = of.absent[host] == 0;
      now.behaviour = {.gone = !actual.answers(endpoint),
                       .fails = state.failing.fraction,
                       .failure = state.failing.failure,
                       .status = state.failing.status,
                       .fails_evenly = state.failing.every > 0,
                       .fails_checks = state.failing.checks,
                       .check_answer = state.check_answer,
                       .check_status = state.check_status};
    }
  }
  return moment;
}

}  // namespace spillway::reports::envoy_export
