#include "reports/explain/simulated_steps.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <utility>
#include <variant>

#include "models/config/seconds.hpp"
#include "models/documents/diagnostic.hpp"
#include "models/envoy/cluster_state.hpp"
#include "models/envoy/exact_shares.hpp"
#include "models/health/circuit_breaker.hpp"
#include "reports/explain/attempts_step.hpp"
#include "reports/explain/change_step.hpp"
#include "reports/explain/failing_hosts.hpp"
#include "reports/explain/rotation.hpp"
#include "reports/explain/simulated.hpp"
#include "reports/explain/wording.hpp"
#include "reports/requests/event_log.hpp"
#include "reports/requests/kinds_of_failure.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::reports::explain {
namespace {

using Balancer = run::ProxyMoment::Balancer;

std::string since_text(run::Nanoseconds at) {
  return "since " + duration_text(config::seconds(at));
}

std::string endpoint_name(const scenario::Scenario& scenario, config::ServiceIndex service, std::uint32_t child,
                          config::HostIndex host) {
  const auto members = scenario::members_of(scenario, service);
  return printable(scenario::endpoint_at(scenario, members[child], host).id);
}

// Returns the balancers that the explained service's requests pass.
std::vector<const Balancer*> balancers_of(const scenario::Scenario& scenario, const SimulatedProxy& simulated,
                                          config::ServiceIndex service) {
  std::vector<const Balancer*> found;
  for (const Balancer& balancer : simulated.moment.balancers) {
    if (balancer.state != nullptr && scenario::asked_for(scenario, balancer.service) == service) {
      found.push_back(&balancer);
    }
  }
  return found;
}

std::uint32_t in_flight(const Balancer& balancer, const envoy::HostShare& share) {
  const std::size_t first = balancer.state->aggregate ? balancer.state->first_host_of_child[share.child] : 0;
  return balancer.active_requests[first + share.host.value];
}

// Returns the hosts' numbers of requests in flight, and the exact fractions of the next picks at these numbers.
Step in_flight_step(const scenario::Scenario& scenario, const std::vector<const Balancer*>& balancers) {
  Step step{.name = "in flight", .sources = {source::host_pick("7"), "Envoy least_request_lb.cc"}};
  for (const Balancer* const balancer : balancers) {
    if (balancer->active_requests.empty() || balancer->state->subsets != nullptr) {
      continue;
    }
    const envoy::ExactShares shares =
        envoy::exact_shares(*balancer->state, envoy::ActiveRequests(balancer->active_requests));
    std::map<std::uint32_t, std::pair<double, std::vector<std::string>>> by_count;
    for (const envoy::HostShare& share : shares.hosts) {
      auto& [sum, names] = by_count[in_flight(*balancer, share)];
      sum += share.share;
      names.push_back(endpoint_name(scenario, balancer->service, share.child, share.host));
    }
    for (const auto& [count, hosts] : by_count) {
      step.facts.push_back(
          words(counted(count, "request"),
                fmt::format("{} of the next picks: {}", exact_percent(hosts.first), some_of(hosts.second))));
    }
  }
  return step;
}

Step next_picks_step(const scenario::Scenario& scenario, const std::vector<const Balancer*>& balancers) {
  Step step{.name = "next picks", .sources = {source::host_pick("3, 6"), "Envoy edf_scheduler.h"}};
  for (const Balancer* const balancer : balancers) {
    if (balancer->next.empty() || !follows_order(*balancer->state)) {
      continue;
    }
    std::vector<std::string> names;
    for (const envoy::Pick& pick : balancer->next) {
      names.push_back(endpoint_name(scenario, balancer->service, pick.child, pick.host));
    }
    const std::string who = balancer->workers > 1 ? fmt::format("worker 1 of {}", balancer->workers) : "";
    step.facts.push_back(words(who, some_of(names, names.size()) + ", if nothing changes in between"));
  }
  return step;
}

// Explains the limit if the current count has reached it; otherwise empty.
std::string limit_text(const scenario::Scenario& scenario, const run::ProxyMoment::Breaker& breaker,
                       const SimulatedQuestion& question) {
  const scenario::ClientEntry& client = scenario.clients[question.client.value];
  const auto& hosts = scenario.services[breaker.cluster.value].hosts;
  if (breaker.resource == health::Resource::connections) {
    return breaker.count < breaker.limit
               ? ""
               : fmt::format(": one for each host and worker is always allowed, at most {} + {} x {} = {}",
                             breaker.limit, hosts.size(), client.concurrency,
                             breaker.limit + hosts.size() * client.concurrency);
  }
  if (breaker.count >= breaker.limit) {
    return ": the next one is rejected";
  }
  return "";
}

Step breakers_step(const scenario::Scenario& scenario, const SimulatedProxy& simulated,
                   const SimulatedQuestion& question) {
  Step step{.name = "breakers", .sources = {source::host_pick("19"), "Envoy resource_manager_impl.h"}};
  for (const run::ProxyMoment::Breaker& breaker : simulated.moment.breakers) {
    const bool asked = std::any_of(simulated.moment.balancers.begin(), simulated.moment.balancers.end(),
                                   [&](const Balancer& balancer) {
                                     const auto members = scenario::members_of(scenario, balancer.service);
                                     return scenario::asked_for(scenario, balancer.service) == question.service &&
                                            std::find(members.begin(), members.end(), breaker.cluster) != members.end();
                                   });
    if (asked) {
      step.facts.push_back(
          words(std::string(limit_name(breaker.resource)),
                fmt::format("{} of {}{}{}", with_thousands(breaker.count), with_thousands(breaker.limit),
                            breaker.priority == config::RoutingPriority::high ? ", priority HIGH" : "",
                            limit_text(scenario, breaker, question))));
    }
  }
  return step;
}

Step sessions_step(const scenario::Scenario& scenario, const SimulatedProxy& simulated,
                   const SimulatedQuestion& question) {
  Step step{.name = "sessions", .sources = {source::host_pick("21"), "Envoy stateful_session.cc"}};
  for (const scenario::RequestKind& kind : scenario.clients[question.client.value].workload.requests) {
    const scenario::Route& route = scenario.routes[kind.route];
    const bool asked = std::any_of(route.clusters.begin(), route.clusters.end(), [&](config::ServiceIndex cluster) {
      return scenario::asked_for(scenario, cluster) == question.service;
    });
    if (!asked || !route.stateful_session) {
      continue;
    }
    step.facts.push_back(words(
        fmt::format("{} `{}`", route.stateful_session->state == envoy::SessionState::cookie ? "cookie" : "header",
                    printable(route.stateful_session->name)),
        fmt::format("{} of this proxy lead to a host now; {}", counted(simulated.moment.sessions, "session"),
                    route.stateful_session->strict ? "strict: where that host is gone a request fails"
                                                   : "where that host gets no requests the balancer picks another")));
    break;
  }
  return step;
}

Step split_step(const SimulatedProxy& simulated) {
  Step step{.name = "split", .sources = {source::host_pick("11"), "Envoy router/config_impl.cc"}};
  if (!simulated.outcomes || simulated.split.size() < 2) {
    return step;
  }
  for (const auto& [cluster, requests] : simulated.split) {
    const double part = static_cast<double>(requests) / static_cast<double>(simulated.outcomes->sent);
    step.facts.push_back(words(printable(cluster), fmt::format("{} of the requests, as counted", exact_percent(part))));
  }
  return step;
}

Step failed_step(const scenario::Scenario& scenario, const SimulatedProxy& simulated,
                 const SimulatedQuestion& question) {
  Step step{.name = "failed"};
  if (!simulated.outcomes) {
    return step;
  }
  const run::Outcomes& of = *simulated.outcomes;
  step.facts.push_back(words(fmt::format("{} to {}", duration_text(config::seconds(simulated.from)),
                                         duration_text(config::seconds(simulated.to))),
                             fmt::format("{} requests of all clients of the entry, {} of them ok",
                                         with_thousands(of.sent), with_thousands(of.ok()))));
  const auto part = [&](std::uint64_t count) {
    return exact_percent(static_cast<double>(count) / static_cast<double>(of.sent));
  };
  for (const KindOfFailure& kind : kinds_of_failure) {
    if (const std::uint64_t count = of[kind.outcome]; count > 0) {
      step.facts.push_back(words(kind.name, fmt::format("{} of the requests: {}", part(count), kind.step)));
    }
  }
  const auto policy = retry_policy_for(scenario, question);
  if (of.failed() > 0 && (!policy || policy->retry_on.empty())) {
    step.facts.push_back(words("no retry", "the route has no retry policy, so that the first failure is the answer"));
  }
  if (of.retries > 0) {
    step.facts.push_back(words("retries", fmt::format("{} attempts beyond the first", with_thousands(of.retries))));
  }
  return step;
}

}  // namespace

Step found_out_step(const scenario::Scenario& scenario, const SimulatedProxy& simulated) {
  Step step{.name = "found out"};
  for (const run::EventRecord& record : simulated.known) {
    step.facts.push_back({.subject = since_text(record.at), .note = event_text(scenario, record)});
  }
  if (step.facts.empty()) {
    step.facts.push_back({.note = "nothing beyond what EDS reports"});
  }
  return step;
}

std::vector<Step> simulated_steps(const scenario::Scenario& scenario, const SimulatedProxy& simulated,
                                  const SimulatedQuestion& question, const Diagnostics& warnings,
                                  const Sources& sources) {
  const std::vector<const Balancer*> balancers = balancers_of(scenario, simulated, question.service);
  return {split_step(simulated),
          in_flight_step(scenario, balancers),
          next_picks_step(scenario, balancers),
          breakers_step(scenario, simulated, question),
          sessions_step(scenario, simulated, question),
          not_ejected_step(scenario, simulated, question),
          failed_step(scenario, simulated, question),
          attempts_step(scenario, simulated, question),
          change_step(scenario, simulated, question, warnings, sources)};
}

}  // namespace spillway::reports::explain
