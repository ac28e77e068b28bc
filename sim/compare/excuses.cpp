// Unknown facts about requests, or about the time between the snapshots, that may have caused the counts.
#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <map>

#include "models/config/listed_health.hpp"
#include "models/envoy/policies/registry.hpp"
#include "sim/compare/asked_through.hpp"
#include "sim/compare/case.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::compare {
namespace {

// True if new hosts get less than their share at first. The age of a host is not reported.
bool hosts_warm_up(const Case& one) {
  const auto window = envoy::policies::visit_policy(cluster_of(one.scenario).lb_policy,
                                                    []<class Policy>(const typename Policy::Config& of_policy) {
                                                      if constexpr (requires { of_policy.slow_start_config; }) {
                                                        return of_policy.slow_start_config.slow_start_window;
                                                      }
                                                      return std::chrono::nanoseconds{0};
                                                    });
  return window > std::chrono::nanoseconds{0};
}

}  // namespace

std::string reported_twice(const Case& one) {
  const config::ServiceIndex asked = scenario::services_of(one.scenario, one.scenario.clients.front()).front();
  for (const config::ServiceIndex member : scenario::members_of(one.scenario, asked)) {
    std::map<std::string, config::HealthStatus> known;
    for (const config::LocalityLbEndpoints& group : one.scenario.services[member.value].load_assignment.endpoints) {
      for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
        const config::HealthStatus first = known.try_emplace(endpoint.address, endpoint.health_status).first->second;
        if (config::listed_health(first) != config::listed_health(endpoint.health_status)) {
          return endpoint.address;
        }
      }
    }
  }
  return "";
}

std::string nothing_to_say(const Case& one, const ClusterComparison& result, const AskedThrough& asked) {
  const auto explaining = [&](auto which) {
    return std::find_if(result.reasons.begin(), result.reasons.end(),
                        [&](const Reason& reason) { return reason.explains && which(reason); });
  };
  if (explaining([](const Reason& reason) { return reason.seen; }) != result.reasons.end()) {
    return "";
  }
  if (hosts_warm_up(one)) {
    return "hosts in slow start get less than their share, and which are is told nowhere";
  }
  const auto sticky = explaining([](const Reason& reason) { return reason.kind == ReasonKind::sticky_keys; });
  if (sticky != result.reasons.end()) {
    return "what requests are hashed by is not known: " + sticky->text;
  }
  return asked.has_sessions(result.name) ? "sessions name the hosts of its requests" : "";
}

}  // namespace spillway::compare
