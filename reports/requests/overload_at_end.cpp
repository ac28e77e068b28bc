#include "reports/requests/overload_at_end.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "sim/plan/loads.hpp"
#include "sim/plan/moment.hpp"
#include "sim/run/exact/exact_sum.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports {
namespace {

// Returns the results reduced to the last epochs, as a run in mode exact at that time has them.
run::Results last_epochs(const scenario::Scenario& scenario, const run::Results& results) {
  run::Results last;
  last.mode = scenario::Mode::exact;
  for (const run::Epoch& epoch : results.epochs) {
    if (epoch.end < scenario.duration) {
      continue;
    }
    last.epochs.push_back(epoch);
    results.shares.for_each_of(epoch.client, epoch.service, epoch.index, [&](const run::ShareBlock& block) {
      run::ShareBlock exact = block;
      exact.counted = nullptr;
      last.shares.add(std::move(exact));
    });
  }
  return last;
}

bool has_recorded_arrivals(const scenario::Scenario& scenario) {
  return std::any_of(scenario.clients.begin(), scenario.clients.end(),
                     [](const scenario::ClientEntry& client) { return client.workload.trace != nullptr; });
}

bool has_cores(const scenario::Scenario& scenario) {
  return std::any_of(scenario.endpoints.begin(), scenario.endpoints.end(),
                     [](const auto& one) { return one.servers.has_value(); }) ||
         std::any_of(scenario.nodes.begin(), scenario.nodes.end(),
                     [](const auto& one) { return one.servers.has_value(); });
}

}  // namespace

bool has_users(const scenario::Scenario& scenario) {
  return std::any_of(scenario.clients.begin(), scenario.clients.end(),
                     [](const scenario::ClientEntry& client) { return client.workload.users > 0; });
}

bool queue_may_grow(const scenario::Scenario& scenario, config::EndpointIndex endpoint) {
  const scenario::Endpoint& of = scenario.endpoints[endpoint.value];
  const auto& servers = of.servers ? of.servers : scenario.nodes[of.node.value].servers;
  return servers && !servers->queue && !has_users(scenario);
}

std::optional<OverloadAtEnd> overload_at_end(const scenario::Scenario& scenario, const run::Results& results) {
  if (!has_cores(scenario) || has_recorded_arrivals(scenario) || has_users(scenario)) {
    return std::nullopt;
  }
  const run::Results last = last_epochs(scenario, results);
  if (!run::all_exact_over_connections(last)) {
    return std::nullopt;
  }
  const scenario::Scenario still = plan::at_moment(scenario, scenario.duration - std::chrono::nanoseconds{1}, 1.0);
  const plan::Loads loads = plan::loads_of(still, last);
  constexpr double full = 1.0 + 1e-9;
  OverloadAtEnd overload;
  for (std::uint32_t index = 0; index < loads.utilisation.size(); ++index) {
    const double utilisation = queue_may_grow(scenario, {index}) ? loads.utilisation[index].value_or(0.0) : 0.0;
    overload.endpoints += utilisation > full ? 1 : 0;
    if (utilisation > overload.utilisation) {
      overload.utilisation = utilisation;
      overload.busiest = {index};
    }
  }
  return overload.endpoints > 0 ? std::optional(overload) : std::nullopt;
}

}  // namespace spillway::reports
