#include "reports/explain/rotation.hpp"

#include <algorithm>
#include <cmath>

#include "models/config/retry_policy.hpp"
#include "models/envoy/cluster_state.hpp"
#include "models/envoy/policies/registry.hpp"
#include "reports/explain/attempts_step.hpp"
#include "reports/explain/simulated.hpp"
#include "reports/text/text_table.hpp"
#include "sim/run/records/proxy_moment.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::reports::explain {
namespace {

// Returns the only balancer that the service's requests pass, if its picks follow an order; null otherwise.
const run::ProxyMoment::Balancer* only_rotation(const scenario::Scenario& scenario, const SimulatedProxy& simulated,
                                                config::ServiceIndex service) {
  const run::ProxyMoment::Balancer* only = nullptr;
  for (const run::ProxyMoment::Balancer& balancer : simulated.moment.balancers) {
    if (balancer.state == nullptr || scenario::asked_for(scenario, balancer.service) != service) {
      continue;
    }
    if (only != nullptr) {
      return nullptr;
    }
    only = &balancer;
  }
  const bool ordered = only != nullptr && only->workers == 1 && !only->next.empty() && follows_order(*only->state);
  return ordered ? only : nullptr;
}

}  // namespace

bool follows_order(const envoy::ClusterState& state) {
  if (state.aggregate) {
    return std::any_of(state.children.begin(), state.children.end(),
                       [](const auto& child) { return child != nullptr && follows_order(*child); });
  }
  return envoy::policies::visit_policy(state.lb_policy, [&]<class Policy>(const auto&) {
    if constexpr (requires { Policy::takes_turns(true); }) {
      return Policy::takes_turns(state.sources.any_weighted());
    }
    return false;
  });
}

std::optional<Rotation> rotation_of(const scenario::Scenario& scenario, const SimulatedProxy& simulated,
                                    const SimulatedQuestion& question, const config::RetryPolicy& policy,
                                    double drawn_attempts) {
  const run::ProxyMoment::Balancer* const balancer = only_rotation(scenario, simulated, question.service);
  if (balancer == nullptr || !simulated.outcomes || policy.num_retries == 0) {
    return std::nullopt;
  }
  const auto members = scenario::members_of(scenario, balancer->service);
  const scenario::ActualState actual = scenario::actual_at(scenario, question.at);
  Rotation rotation{.succeeded = std::vector<double>(policy.num_retries + 1, 0.0), .locked = true};
  double requests = 0.0;
  double attempts = 0.0;
  for (std::size_t turn = 0; turn + policy.num_retries < balancer->next.size();) {
    for (std::uint32_t attempt = 0; attempt <= policy.num_retries; ++attempt) {
      const envoy::Pick& pick = balancer->next[turn++];
      const scenario::Host& host = scenario.services[members[pick.child].value].hosts[pick.host.value];
      const RetryTarget target = retry_target(actual, host.endpoint, 0.0, policy);
      if (host.forwards_to || (target.ok > 0.0 && target.ok < 1.0)) {
        return std::nullopt;
      }
      attempts += 1.0;
      if (attempt == 0) {
        const std::string name = printable(scenario.endpoints[host.endpoint.value].id);
        rotation.locked = rotation.locked && target.ok == 0.0;
        if (std::find(rotation.first_hosts.begin(), rotation.first_hosts.end(), name) == rotation.first_hosts.end()) {
          rotation.first_hosts.push_back(name);
        }
      }
      if (target.ok == 1.0) {
        for (std::uint32_t within = attempt; within <= policy.num_retries; ++within) {
          rotation.succeeded[within] += 1.0;
        }
      }
      if (target.ok == 1.0 || target.retried == 0.0) {
        break;
      }
    }
    requests += 1.0;
  }
  if (requests == 0.0) {
    return std::nullopt;
  }
  for (double& part : rotation.succeeded) {
    part /= requests;
  }
  rotation.attempts = attempts / requests;
  const double counted =
      1.0 + static_cast<double>(simulated.outcomes->retries) / static_cast<double>(simulated.outcomes->sent);
  const bool agrees = std::abs(counted - rotation.attempts) < std::abs(counted - drawn_attempts);
  return agrees ? std::optional(std::move(rotation)) : std::nullopt;
}

}  // namespace spillway::reports::explain
