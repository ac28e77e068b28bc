#include "reports/explain/change_step.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <variant>

#include "models/documents/diagnostic.hpp"
#include "models/envoy/cluster.hpp"
#include "models/envoy/cluster_state.hpp"
#include "models/health/outlier_detection.hpp"
#include "reports/explain/attempts_step.hpp"
#include "reports/explain/failing_hosts.hpp"
#include "reports/explain/rotation.hpp"
#include "reports/explain/route_step.hpp"
#include "reports/explain/simulated.hpp"
#include "reports/explain/trial.hpp"
#include "reports/explain/wording.hpp"
#include "reports/requests/event_log.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/workload.hpp"

namespace spillway::reports::explain {
namespace {

using run::EventKind;
using run::EventRecord;
using scenario::Scenario;

constexpr std::uint32_t without_limit = std::numeric_limits<std::uint32_t>::max();

// A change of the configuration that may help, with its text.
struct Candidate {
  Fact fact = {};
  Trials::Change apply = {};
  std::string unless_it_helps = {};  // printed if the change does not help; may be empty
};

// Returns the least percentage that allows this many hosts to be ejected.
std::uint32_t percent_that_ejects(const Scenario& scenario, std::uint32_t hosts, std::uint64_t out) {
  config::OutlierDetection detection{};
  detection.max_ejection_percent = 0;
  while (detection.max_ejection_percent < 100 && health::most_ejected(detection, scenario.profile.envoy, hosts) < out) {
    ++detection.max_ejection_percent;
  }
  return detection.max_ejection_percent;
}

template <class Mutation>
Trials::Change in_clusters(std::vector<config::ServiceIndex> clusters, Mutation mutate) {
  return [clusters = std::move(clusters), mutate](Scenario& changed) {
    for (const config::ServiceIndex cluster : clusters) {
      mutate(changed.services[cluster.value].cluster);
    }
  };
}

// Adds a route for requests without one, with the same effect.
void lead_by_route(Scenario& changed, config::ClientEntryIndex client) {
  const scenario::Workload& workload = std::as_const(changed.clients)[client.value].workload;
  if (workload.requests.empty()) {
    const config::ServiceIndex service = workload.service;
    const std::string& name = std::as_const(changed.services)[service.value].name;
    scenario::Route& route = changed.routes.emplace_back();
    route.clusters = {service};
    route.route.action.clusters = {{name, 1, std::nullopt}};
    changed.clients[client.value].workload.requests = {
        {.name = name, .request = {}, .route = static_cast<std::uint32_t>(changed.routes.size() - 1)}};
  }
}

template <class Mutation>
Trials::Change in_retry_policies(const SimulatedQuestion& question, const Mutation& mutate) {
  return [question, mutate](Scenario& changed) {
    lead_by_route(changed, question.client);
    for (const RouteOfKinds& of : routes_to(changed, question.client, question.service)) {
      mutate(changed.routes[of.route].retry_policy);
    }
  };
}

// Adds candidates for failing hosts that max_ejection_percent keeps in the rotation.
void add_ejections(const Scenario& scenario, const SimulatedProxy& simulated, std::vector<Candidate>& candidates) {
  struct Kept {
    std::uint64_t in = 0;   // hosts that would be ejected
    std::uint64_t out = 0;  // hosts that are ejected
    double percent = 0.0;
    std::uint32_t hosts = 0;
  };
  std::map<config::ServiceIndex, Kept> by_cluster;
  for (const EventRecord& record : simulated.known) {
    if (record.kind == EventKind::ejection_prevented) {
      Kept& kept = by_cluster[record.service];
      ++kept.in;
      kept.percent = record.limit;
      kept.hosts = record.hosts;
    }
  }
  for (const EventRecord& record : simulated.known) {
    if (record.kind == EventKind::ejected && by_cluster.contains(record.service)) {
      ++by_cluster[record.service].out;
    }
  }
  for (const auto& [cluster, kept] : by_cluster) {
    const std::uint32_t percent = percent_that_ejects(scenario, kept.hosts, kept.in + kept.out);
    candidates.push_back({words("max_ejection_percent",
                                fmt::format("at {:.0f} {} of {} hosts that fail keep getting requests; {} lets all {} "
                                            "of them be ejected",
                                            kept.percent, kept.in, kept.hosts, percent, kept.in + kept.out)),
                          in_clusters({cluster}, [percent](envoy::Cluster& of) {
                            of.outlier_detection->max_ejection_percent = percent;
                          })});
  }
}

// Adds candidates for failing hosts that are not ejected, because failures are not counted or the required streak is
// too long.
void add_detection(const Scenario& scenario, const SimulatedProxy& simulated, const SimulatedQuestion& question,
                   std::vector<Candidate>& candidates) {
  constexpr std::uint32_t in_a_row = 5;  // Envoy's default
  for (const config::ServiceIndex cluster : clusters_of(scenario, question)) {
    const bool decided = std::any_of(simulated.known.begin(), simulated.known.end(), [&](const EventRecord& record) {
      return record.service == cluster &&
             (record.kind == EventKind::ejection_prevented || record.kind == EventKind::ejected);
    });
    const auto failing = failing_hosts(scenario, cluster, question);
    const auto& detection = scenario.services[cluster.value].cluster.outlier_detection;
    const bool detects =
        detection && detection->consecutive_5xx <= in_a_row && detection->enforcing_consecutive_5xx == 100;
    if (failing.empty() || decided || detects) {
      continue;
    }
    const auto hosts = static_cast<std::uint32_t>(scenario.services[cluster.value].hosts.size());
    const std::uint32_t percent = std::max(percent_that_ejects(scenario, hosts, failing.size()),
                                           detection ? detection->max_ejection_percent : 0U);
    const std::string names = counted(failing.size(), "host") + " that " + (failing.size() == 1 ? "fails" : "fail");
    const std::string settings = fmt::format("consecutive_5xx {} and max_ejection_percent {}", in_a_row, percent);
    candidates.push_back({words("outlier_detection", fmt::format("{} eject {}", settings, names)),
                          in_clusters({cluster}, [percent](envoy::Cluster& of) {
                            config::OutlierDetection wanted = of.outlier_detection.value_or(config::OutlierDetection{});
                            wanted.consecutive_5xx = in_a_row;
                            wanted.enforcing_consecutive_5xx = 100;
                            wanted.max_ejection_percent = percent;
                            of.outlier_detection = wanted;
                          })});
  }
}

// True if more than half of the failed requests time out.
bool most_time_out(const SimulatedProxy& simulated) {
  return simulated.outcomes &&
         2 * (*simulated.outcomes)[scenario::Outcome::timeout] > simulated.outcomes->sent - simulated.outcomes->ok();
}

void set_limit(config::CircuitBreakerThresholds& of, health::Resource resource, std::uint32_t limit) {
  switch (resource) {
    case health::Resource::connections:
      of.max_connections = limit;
      return;
    case health::Resource::pending_requests:
      of.max_pending_requests = limit;
      return;
    case health::Resource::requests:
      of.max_requests = limit;
      return;
    case health::Resource::retries:
      of.max_retries = limit;
      of.retry_budget.reset();
      return;
    case health::Resource::connection_pools:
      of.max_connection_pools = limit;
      return;
  }
}

// Returns a change that sets the limit for both routing priorities: whether a higher limit helps does not depend on the
// request's priority.
Trials::Change with_limit(config::ServiceIndex cluster, health::Resource resource) {
  return in_clusters({cluster}, [resource](envoy::Cluster& of) {
    auto& thresholds = of.circuit_breakers.thresholds;
    for (const auto priority : {config::RoutingPriority::default_priority, config::RoutingPriority::high}) {
      const auto found = std::find_if(thresholds.begin(), thresholds.end(),
                                      [&](const auto& threshold) { return threshold.priority == priority; });
      config::CircuitBreakerThresholds& threshold =
          found == thresholds.end() ? thresholds.emplace_back(config::CircuitBreakerThresholds{.priority = priority})
                                    : *found;
      set_limit(threshold, resource, without_limit);
    }
  });
}

void add_breakers(const SimulatedProxy& simulated, std::vector<Candidate>& candidates) {
  for (const EventRecord& record : simulated.known) {
    if (record.kind == EventKind::breaker_opened) {
      candidates.push_back({words(std::string(limit_name(record.resource)),
                                  fmt::format("{:.0f} rejects requests: raise it above the number in flight, or keep "
                                              "fewer waiting (shorter timeouts, more endpoints)",
                                              record.limit)),
                            with_limit(record.service, record.resource)});
    } else if (record.kind == EventKind::retry_budget_empty) {
      Candidate candidate{words("retry_budget", fmt::format("it allows {:.0f} concurrent retries: raise "
                                                            "budget_percent or min_retry_concurrency",
                                                            record.limit)),
                          with_limit(record.service, health::Resource::retries)};
      // Hosts are slow, so every additional retry makes them slower.
      if (most_time_out(simulated)) {
        candidate.unless_it_helps = fmt::format(
            "keep it: requests fail because answers are late, and more than {:.0f} concurrent retries would add to the "
            "load; add endpoints, or send less",
            record.limit);
      }
      candidates.push_back(std::move(candidate));
    }
  }
}

// Returns the retry conditions. If only connections fail, no request was delivered, so even a write may be sent again.
const char* conditions_for(const SimulatedProxy& simulated) {
  using scenario::Outcome;
  const bool only_connections = simulated.outcomes && (*simulated.outcomes)[Outcome::connect_failure] > 0 &&
                                (*simulated.outcomes)[Outcome::upstream_error] == 0 &&
                                (*simulated.outcomes)[Outcome::timeout] == 0;
  return only_connections ? "connect-failure,refused-stream" : "5xx,reset,connect-failure";
}

// Adds a candidate: retry on hosts not tried yet.
void add_retries(const Scenario& scenario, const SimulatedProxy& simulated, const SimulatedQuestion& question,
                 std::vector<Candidate>& candidates) {
  const auto policy = retry_policy_for(scenario, question);
  if (policy && !policy->retry_host_predicate.empty()) {
    return;
  }
  config::RetryPolicy wanted = policy.value_or(config::RetryPolicy{});
  const bool says_when = policy && !policy->retry_on.empty();
  if (!says_when) {
    wanted.retry_on = config::parse_retry_on(conditions_for(simulated));
  }
  wanted.num_retries = std::max(wanted.num_retries, 1U);
  wanted.retry_host_predicate = {config::PreviousHosts{}};
  wanted.host_selection_retry_max_attempts = std::max(wanted.host_selection_retry_max_attempts, 3U);
  candidates.push_back(
      {words("retry_policy", fmt::format("{}num_retries {}, previous_hosts and host_selection_retry_max_attempts {}",
                                         says_when ? "" : fmt::format("retry_on {}, ", conditions_for(simulated)),
                                         wanted.num_retries, wanted.host_selection_retry_max_attempts)),
       in_retry_policies(question, [wanted](std::optional<config::RetryPolicy>& of) { of = wanted; })});
}

// Adds a candidate: random picks. A retry takes the next turn of a rotation, but drawn picks are independent.
void add_draws(const Scenario& scenario, const SimulatedProxy& simulated, const SimulatedQuestion& question,
               std::vector<Candidate>& candidates) {
  const bool turns = std::any_of(simulated.moment.balancers.begin(), simulated.moment.balancers.end(),
                                 [&](const run::ProxyMoment::Balancer& balancer) {
                                   return balancer.state != nullptr &&
                                          scenario::asked_for(scenario, balancer.service) == question.service &&
                                          follows_order(*balancer.state);
                                 });
  if (turns && simulated.outcomes && simulated.outcomes->retries > 0) {
    candidates.push_back(
        {words("lb_policy", "RANDOM draws each pick, so that a retry does not take the turn of the next request"),
         in_clusters(clusters_of(scenario, question),
                     [](envoy::Cluster& of) { of.lb_policy = envoy::policies::random::Config{}; })});
  }
}

void add_panic(const Scenario& scenario, const SimulatedProxy& simulated, const SimulatedQuestion& question,
               std::vector<Candidate>& candidates) {
  for (const run::ProxyMoment::Balancer& balancer : simulated.moment.balancers) {
    if (simulated.outcomes && (*simulated.outcomes)[scenario::Outcome::no_healthy_upstream] > 0 &&
        balancer.state != nullptr && balancer.state->panic_threshold == 0) {
      candidates.push_back(
          {words("healthy_panic_threshold",
                 "0 never panics: where no host is left, requests fail; a threshold above 0 sends them to all hosts "
                 "instead"),
           [clusters = clusters_of(scenario, question)](Scenario& changed) {
             changed.runtime.healthy_panic_threshold.reset();
             in_clusters(clusters, [](envoy::Cluster& of) {
               of.common_lb_config.healthy_panic_threshold = config::CommonLbConfig{}.healthy_panic_threshold;
             })(changed);
           }});
      return;
    }
  }
}

// Returns the change that a warning suggests; empty if no single change of the clusters or routes does it.
Trials::Change suggestion_of(const std::string& code, const Scenario& scenario, const SimulatedQuestion& question) {
  if (code == "SP750" || code == "SP752") {
    return [clusters = clusters_of(scenario, question), all = code == "SP752"](Scenario& changed) {
      for (const config::ServiceIndex cluster : clusters) {
        const auto hosts = static_cast<std::uint32_t>(std::as_const(changed.services)[cluster.value].hosts.size());
        if (auto& detection = changed.services[cluster.value].cluster.outlier_detection) {
          detection->max_ejection_percent =
              all ? 100 : std::max(detection->max_ejection_percent, percent_that_ejects(changed, hosts, 1));
        }
      }
    };
  }
  if (code == "SP755") {
    return in_retry_policies(question, [](std::optional<config::RetryPolicy>& of) {
      constexpr std::uint32_t picks = 5;
      if (of) {
        of->retry_host_predicate.emplace_back(config::PreviousHosts{});
        of->host_selection_retry_max_attempts = picks;
      }
    });
  }
  if (code == "SP756" || code == "SP757") {
    return [clusters = clusters_of(scenario, question), code](Scenario& changed) {
      for (const config::ServiceIndex cluster : clusters) {
        with_limit(cluster, code == "SP756" ? health::Resource::retries : health::Resource::requests)(changed);
      }
    };
  }
  return {};
}

void add_warnings(const Scenario& scenario, const SimulatedQuestion& question, const Diagnostics& warnings,
                  const Sources& sources, std::vector<Candidate>& candidates) {
  for (const Diagnostic& warning : warnings) {
    if (auto suggestion = suggestion_of(warning.code, scenario, question)) {
      Fact fact = words(warning.code, printable(warning.message));
      fact.note += warning.helps.empty() ? "" : "; " + printable(warning.helps.front());
      fact.where = place_in_file(sources, warning.where);
      candidates.push_back({std::move(fact), std::move(suggestion)});
    }
  }
}

}  // namespace

Step change_step(const Scenario& scenario, const SimulatedProxy& simulated, const SimulatedQuestion& question,
                 const Diagnostics& warnings, const Sources& sources) {
  Step step{.name = "change"};
  const auto clusters = clusters_of(scenario, question);
  const bool fails =
      simulated.outcomes && (simulated.outcomes->ok() < simulated.outcomes->sent || simulated.outcomes->retries > 0);
  const bool may_fail = std::any_of(clusters.begin(), clusters.end(), [&](config::ServiceIndex cluster) {
    return !failing_hosts(scenario, cluster, question).empty();
  });
  if (!fails && !may_fail) {
    return step;
  }
  std::vector<Candidate> candidates;
  add_ejections(scenario, simulated, candidates);
  add_detection(scenario, simulated, question, candidates);
  add_breakers(simulated, candidates);
  add_retries(scenario, simulated, question, candidates);
  add_draws(scenario, simulated, question, candidates);
  add_panic(scenario, simulated, question, candidates);
  add_warnings(scenario, question, warnings, sources, candidates);
  const Trials trials(scenario, question);
  for (Candidate& candidate : candidates) {
    if (const auto gain = gain_text(trials.now(), trials.with(candidate.apply))) {
      candidate.fact.note += ": " + *gain;
    } else if (!candidate.unless_it_helps.empty()) {
      candidate.fact.note = candidate.unless_it_helps;
    } else {
      continue;
    }
    step.facts.push_back(std::move(candidate.fact));
  }
  if (!step.facts.empty()) {
    step.facts.push_back(words("", "each of them simulated, as the only change"));
  }
  return step;
}

}  // namespace spillway::reports::explain
