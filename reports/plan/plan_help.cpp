#include "reports/plan/plan_help.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <variant>
#include <vector>

#include "reports/plan/plan_headline.hpp"
#include "reports/plan/plan_words.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/words.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::reports {
namespace {

// True if the row fails because endpoints are overloaded, whatever rejects requests first then.
bool is_by_load(const plan::Row& row, const plan::FailedRequests& failing) {
  switch (failing.first_cause()) {
    case plan::Cause::timeout:
    case plan::Cause::queue_full:
    case plan::Cause::unfinished:
      return true;
    case plan::Cause::overflow:
      return row.utilisation.value_or(0.0) >= 1.0;
    default:
      return false;
  }
}

// Returns the number with three digits, or whole: "1.8", "1,200".
std::string number_text(double number) {
  constexpr double hundred = 100.0;
  return number < hundred ? fmt::format("{:.3g}", number)
                          : with_thousands(static_cast<std::uint64_t>(std::llround(number)));
}

// The means that the clusters of a service have, and where its endpoints are.
struct Means {
  bool ejects = false;
  bool checks = false;
  bool retries = false;
  bool subsets = false;
  std::uint32_t max_retries = 3;  // Envoy's default
  std::set<std::uint32_t> zones = {};
  std::size_t left = 0;  // endpoints that the failure does not take
};

Means means_of(const scenario::Scenario& scenario, config::ServiceIndex asked, const plan::Failure& failure) {
  Means means;
  const auto add = [&](const scenario::Service& service) {
    means.ejects = means.ejects || service.cluster.outlier_detection.has_value();
    means.checks = means.checks || !service.cluster.health_checks.empty();
    means.subsets = means.subsets || std::holds_alternative<envoy::policies::subset::Config>(service.cluster.lb_policy);
    for (const config::CircuitBreakerThresholds& of : service.cluster.circuit_breakers.thresholds) {
      means.max_retries = of.max_retries.value_or(means.max_retries);
    }
    for (const scenario::Host& host : service.hosts) {
      means.zones.insert(scenario.nodes[scenario.endpoints[host.endpoint.value].node.value].zone.value);
      means.left += host.forwards_to || plan::is_lost(failure, host.endpoint) ? 0 : 1;
    }
  };
  for (std::uint32_t index = 0; index < scenario.services.size(); ++index) {
    if (scenario::asked_for(scenario, {index}) == asked) {
      for (const config::ServiceIndex member : scenario::members_of(scenario, {index})) {
        add(scenario.services[member.value]);
      }
    }
  }
  means.retries = std::any_of(scenario.routes.begin(), scenario.routes.end(),
                              [](const scenario::Route& route) { return route.retry_policy.has_value(); });
  return means;
}

// Returns what the scenario lacks of these: "outlier detection or retries would help"; empty if it has all.
std::string lacking_text(const Means& means, bool checks_help) {
  std::vector<std::string> lacking;
  if (!means.ejects) {
    lacking.emplace_back("outlier detection");
  }
  if (checks_help && !means.checks) {
    lacking.emplace_back("active health checks");
  }
  if (!means.retries) {
    lacking.emplace_back("retries");
  }
  if (lacking.empty()) {
    return "";
  }
  const std::string last = lacking.back();
  lacking.pop_back();
  return (lacking.empty() ? last : joined(lacking, ", ") + " or " + last) + " would help";
}

// Describes requests that go to lost endpoints because no proxy knows of the loss.
std::string unnoticed_text(const Means& means) {
  const std::string lacking = lacking_text(means, true);
  return "go to endpoints that are lost: " +
         (lacking.empty() ? std::string("shorter intervals of checks and outlier detection would help") : lacking);
}

// Describes requests without an endpoint to go to.
std::string no_way_text(const scenario::Scenario& scenario, const Means& means, const plan::Row& row,
                        config::ServiceIndex service) {
  const std::string name = service_text(scenario, service);
  if (means.left == 0 && means.zones.size() > 1) {
    return "have no endpoint to go to: all endpoints of " + name + " are lost, against which nothing helps";
  }
  if (means.left == 0) {
    return "have no other endpoint to go to: endpoints of " + name + " in another zone would help";
  }
  if (row.failure.reported == scenario::LossReported::nothing && !row.failure.endpoints.empty()) {
    return unnoticed_text(means);
  }
  if (means.subsets) {
    return "have no other endpoint to go to: those that are left are not of their subset, to which a fallback_policy "
           "or more endpoints of the subset would lead";
  }
  return "have no other endpoint to go to: " +
         std::string(plan::documents_of(scenario) == plan::Documents::kuma
                         ? "a failover rule that names another zone would give them one"
                     : plan::documents_of(scenario) == plan::Documents::istio
                         ? "a rule that lets them leave their zone or subset would give them one"
                         : "a priority for those that are left would give them one");
}

// Returns the highest panic threshold with which every failure is survived, in the documents' words.
std::string other_panic_text(const scenario::Scenario& scenario, const plan::Plan& plan) {
  const std::string knob = name_of(plan::Knob::healthy_panic_threshold, plan::documents_of(scenario));
  const plan::WhatIf* best = nullptr;
  for (const plan::WhatIf& other : plan.what_ifs) {
    best = other.setting == knob && !other.now && other.worst.holds() ? &other : best;
  }
  return best == nullptr ? fmt::format("a lower {} would not", knob) : fmt::format("{} {} does not", knob, best->value);
}

std::string overflow_text(const scenario::Scenario& scenario, const plan::Plan& plan) {
  return plan.admitting
             ? fmt::format(": {} {} admits them when simulated ({} are in flight in the mean, by Little's law)",
                           name_of(plan::Knob::max_requests, plan::documents_of(scenario)),
                           with_thousands(plan.admitting->max_requests), number_text(plan.admitting->in_flight))
             : std::string();
}

std::string circumstance_of(const scenario::Scenario& scenario, const plan::Plan& plan, const plan::Row& row) {
  if (&row == &plan.rows.front()) {
    return "Even with nothing lost";
  }
  const std::string lost = lost_text(scenario, row);
  const bool is_zone = lost != printable(row.failure.name);
  return row.failure.is_gray() || row.failure.degraded ? "With " + lost
         : is_zone                                     ? "When " + lost + " is down"
                                                       : "With " + lost + " lost";
}

std::string help_against(const scenario::Scenario& scenario, const plan::Plan& plan, const plan::Row& row,
                         const plan::FailedRequests& failing) {
  const std::string when = circumstance_of(scenario, plan, row);
  const std::string client = printable(scenario.clients[failing.client.value].name);
  const Means means = means_of(scenario, failing.service, row.failure);
  constexpr double all = 0.999;
  switch (failing.first_cause()) {
    case plan::Cause::no_host:
      return fmt::format("{}, requests of {} {}.", when, client, no_way_text(scenario, means, row, failing.service));
    case plan::Cause::panic:
    case plan::Cause::lost:
      if (failing.share >= all) {
        return fmt::format("{}, requests of {} {}.", when, client, no_way_text(scenario, means, row, failing.service));
      }
      return failing.first_cause() == plan::Cause::panic
                 ? fmt::format("{}, panic sends requests of {} to lost endpoints: {}.", when, client,
                               other_panic_text(scenario, plan))
                 : fmt::format("{}, requests of {} {}.", when, client, unnoticed_text(means));
    case plan::Cause::overflow:
      return fmt::format("{}, a circuit breaker rejects requests of {}{}.", when, client,
                         overflow_text(scenario, plan));
    case plan::Cause::drop_overload:
      return fmt::format("{}, `drop_overloads` drops requests of {}: it must go.", when, client);
    case plan::Cause::failing: {
      const std::string lacking = lacking_text(means, false);
      return fmt::format(
          "{}, endpoints fail requests of {}: {}.", when, client,
          !lacking.empty()
              ? lacking
              : fmt::format("more retries would help, of which at most {} of a proxy are made "
                            "at a time ({})",
                            means.max_retries, name_of(plan::Knob::max_retries, plan::documents_of(scenario))));
    }
    default:
      return "";
  }
}

}  // namespace

std::string other_help_text(const scenario::Scenario& scenario, const plan::Plan& plan) {
  const plan::FailedRequests* most = nullptr;
  const plan::Row* of = nullptr;
  for (const plan::Row& row : plan.rows) {
    for (const plan::FailedRequests& failing : row.failing) {
      if (row.judgement() == study::Verdict::missed && !is_by_load(row, failing) &&
          (most == nullptr || failing.share > most->share)) {
        most = &failing;
        of = &row;
      }
    }
  }
  if (most != nullptr) {
    return help_against(scenario, plan, *of, *most);
  }
  for (const plan::Row& row : plan.rows) {
    for (const plan::Margin& margin : row.margins) {
      if (margin.judgement() == study::Verdict::missed && margin.bound.metric == study::Metric::utilisation &&
          margin.endpoint && !scenario.endpoints[margin.endpoint->value].servers) {
        const scenario::Node& node = scenario.nodes[scenario.endpoints[margin.endpoint->value].node.value];
        return fmt::format(
            "{}, the cores of node {} are at {}: endpoints share them, so that more nodes or cores would help.",
            circumstance_of(scenario, plan, row), printable(node.name), value_text(margin.bound.metric, margin.value));
      }
      // Where a zone has lost its endpoints, no rule keeps requests there.
      if (&row == &plan.rows.front() && margin.judgement() == study::Verdict::missed &&
          (margin.bound.metric == study::Metric::cross_zone_cost ||
           margin.bound.metric == study::Metric::cross_zone_share)) {
        return missed_margin_text(scenario, margin) + ": a rule that keeps requests in their zone would help.";
      }
    }
  }
  return "";
}

}  // namespace spillway::reports
