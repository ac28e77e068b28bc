#include "reports/explain/attempts_step.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <variant>

#include "models/envoy/exact_shares.hpp"
#include "models/health/retry_state.hpp"
#include "reports/explain/rotation.hpp"
#include "reports/explain/simulated.hpp"
#include "reports/explain/wording.hpp"
#include "reports/text/percent.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/state_at.hpp"
#include "sim/scenario/workload.hpp"

namespace spillway::reports::explain {
namespace {

// The number of attempts shown.
constexpr std::uint32_t most_attempts = 8;

bool tries_again(const config::RetryPolicy& policy, const scenario::Failing& failing) {
  using health::ResetReason;
  const auto wants = [](health::RetryDecision decision) { return decision != health::RetryDecision::no_retry; };
  switch (failing.failure) {
    case scenario::Failure::status:
      return wants(health::retry_decision(policy, health::UpstreamAnswer{.status = failing.status}));
    case scenario::Failure::reset:
      return wants(health::retry_decision(policy, ResetReason::remote_reset, true));
    case scenario::Failure::connect_failure:
      return wants(health::retry_decision(policy, ResetReason::connection_failure, false));
    case scenario::Failure::no_answer:
      return policy.per_try_timeout && wants(health::retry_decision(policy, ResetReason::per_try_timeout, true));
  }
  return false;
}

bool leaves_out_tried(const config::RetryPolicy& policy) {
  return std::any_of(policy.retry_host_predicate.begin(), policy.retry_host_predicate.end(),
                     [](const auto& predicate) { return std::holds_alternative<config::PreviousHosts>(predicate); });
}

// Returns the average number of attempts if each pick is drawn: 1 plus the fractions that did not succeed within fewer
// attempts.
double drawn_attempts(const std::vector<double>& succeeded) {
  double attempts = 1.0;
  for (std::size_t attempt = 0; attempt + 1 < succeeded.size(); ++attempt) {
    attempts += 1.0 - succeeded[attempt];
  }
  return attempts;
}

void add_rotation(const Rotation& rotation, Step& step) {
  for (std::size_t attempt = 0; attempt < rotation.succeeded.size(); ++attempt) {
    step.facts.push_back(
        words(counted(attempt + 1, "attempt"), exact_percent(rotation.succeeded[attempt]) + " succeed"));
  }
  step.facts.push_back(
      rotation.locked
          ? words("",
                  fmt::format("the rotation is locked: each request begins at {}, and its retry takes the next turn, "
                              "so that the next request begins there again",
                              some_of(rotation.first_hosts)))
          : words("", "in the order of the next picks, where a retry takes the next turn"));
}

}  // namespace

RetryTarget retry_target(const scenario::ActualState& actual, config::EndpointIndex endpoint, double share,
                         const config::RetryPolicy& policy) {
  scenario::Failing failing = actual.of(endpoint).failing;
  if (!actual.answers(endpoint)) {
    failing = {.fraction = 1.0, .failure = scenario::Failure::connect_failure};
  }
  const double failed = failing.every > 0 ? 1.0 / failing.every : failing.fraction;
  return {.share = share, .ok = 1.0 - failed, .retried = tries_again(policy, failing) ? failed : 0.0};
}

std::optional<config::RetryPolicy> retry_policy_for(const scenario::Scenario& scenario,
                                                    const SimulatedQuestion& question) {
  for (const scenario::RequestKind& kind : scenario.clients[question.client.value].workload.requests) {
    const scenario::Route& route = scenario.routes[kind.route];
    const bool asked = std::any_of(route.clusters.begin(), route.clusters.end(), [&](config::ServiceIndex cluster) {
      return scenario::asked_for(scenario, cluster) == question.service;
    });
    if (asked) {
      return route.retry_policy;
    }
  }
  return std::nullopt;
}

std::vector<RetryTarget> retry_targets(const scenario::Scenario& scenario, const SimulatedProxy& simulated,
                                       const SimulatedQuestion& question, const config::RetryPolicy& policy) {
  const scenario::ActualState actual = scenario::actual_at(scenario, question.at);
  std::vector<RetryTarget> targets;
  for (const run::ProxyMoment::Balancer& balancer : simulated.moment.balancers) {
    if (balancer.state == nullptr || scenario::asked_for(scenario, balancer.service) != question.service) {
      continue;
    }
    const auto members = scenario::members_of(scenario, balancer.service);
    for (const envoy::HostShare& share :
         envoy::exact_shares(*balancer.state, envoy::ActiveRequests(balancer.active_requests)).hosts) {
      const scenario::Host& host = scenario.services[members[share.child].value].hosts[share.host.value];
      if (!host.forwards_to) {
        targets.push_back(retry_target(actual, host.endpoint, share.share, policy));
      }
    }
    break;
  }
  return targets;
}

Step attempts_step(const scenario::Scenario& scenario, const SimulatedProxy& simulated,
                   const SimulatedQuestion& question) {
  Step step{.name = "attempts", .sources = {source::host_pick("5, 20"), "Envoy retry_state_impl.cc"}};
  const auto policy = retry_policy_for(scenario, question);
  const std::vector<RetryTarget> targets =
      retry_targets(scenario, simulated, question, policy.value_or(config::RetryPolicy{}));
  const bool fails = std::any_of(targets.begin(), targets.end(), [](const RetryTarget& of) { return of.ok < 1.0; });
  if (!fails) {
    return step;
  }
  RetryRule rule{.attempts = policy ? std::min(policy->num_retries + 1, most_attempts) : 1};
  const std::vector<double> without = chances_of_success(targets, rule);
  if (policy && !leaves_out_tried(*policy)) {
    if (const auto rotation = rotation_of(scenario, simulated, question, *policy, drawn_attempts(without))) {
      add_rotation(*rotation, step);
      return step;
    }
  }
  if (policy) {
    rule.host_selection_retry_max_attempts = std::max(policy->host_selection_retry_max_attempts, 1U);
  }
  rule.previous_hosts = true;
  const std::vector<double> with = chances_of_success(targets, rule);
  const bool configured = policy && leaves_out_tried(*policy);
  for (std::size_t attempt = 0; attempt < without.size(); ++attempt) {
    std::string note = exact_percent(without[attempt]) + " succeed";
    if (attempt > 0 && attempt < with.size()) {
      note = fmt::format("{} succeed with previous_hosts{}, {} without{}", exact_percent(with[attempt]),
                         configured ? " (as configured)" : "", exact_percent(without[attempt]),
                         configured ? "" : " (as configured)");
    }
    step.facts.push_back(words(counted(attempt + 1, "attempt"), std::move(note)));
  }
  step.facts.push_back(words("", "if each pick is drawn by the shares of this moment"));
  return step;
}

}  // namespace spillway::reports::explain
