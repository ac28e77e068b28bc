#include "reports/explain/change_step.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <utility>

#include "models/health/outlier_detection.hpp"
#include "reports/explain/attempts_step.hpp"
#include "reports/explain/wording.hpp"
#include "reports/requests/happenings.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::reports::explain {
namespace {

using run::HappeningKind;
using run::HappeningRecord;

std::string place_text(const scenario::Sources& sources, const scenario::Span& where) {
  return where.file < sources.size() ? fmt::format("{}:{}", printable(sources[where.file].name), where.line) : "";
}

// Hosts that fail, and of which max_ejection_percent keeps some in.
void add_ejections(const scenario::Scenario& scenario, const PlayedProxy& played, Step& step) {
  struct Kept {
    std::uint64_t in = 0;   // that would be ejected
    std::uint64_t out = 0;  // that are
    double percent = 0.0;
    std::uint32_t hosts = 0;
  };
  std::map<config::ServiceIndex, Kept> by_cluster;
  for (const HappeningRecord& record : played.known) {
    if (record.kind == HappeningKind::ejection_prevented) {
      Kept& kept = by_cluster[record.service];
      ++kept.in;
      kept.percent = record.limit;
      kept.hosts = record.hosts;
    }
  }
  for (const HappeningRecord& record : played.known) {
    if (record.kind == HappeningKind::ejected && by_cluster.contains(record.service)) {
      ++by_cluster[record.service].out;
    }
  }
  for (const auto& [cluster, kept] : by_cluster) {
    config::OutlierDetection detection{};
    detection.max_ejection_percent = 0;
    while (detection.max_ejection_percent < 100 &&
           health::most_ejected(detection, scenario.profile.envoy, kept.hosts) < kept.in + kept.out) {
      ++detection.max_ejection_percent;
    }
    step.facts.push_back(
        words("max_ejection_percent",
              fmt::format("at {:.0f} {} of {} hosts that fail keep getting requests; {} lets all {} "
                          "of them be ejected",
                          kept.percent, kept.in, kept.hosts, detection.max_ejection_percent, kept.in + kept.out)));
  }
}

// More than half of the requests that fail.
bool most_time_out(const PlayedProxy& played) {
  return played.outcomes && 2 * played.outcomes->timeout > played.outcomes->sent - played.outcomes->ok;
}

void add_breakers(const PlayedProxy& played, Step& step) {
  for (const HappeningRecord& record : played.known) {
    if (record.kind == HappeningKind::breaker_opened) {
      step.facts.push_back(words(std::string(limit_name(record.resource)),
                                 fmt::format("{:.0f} rejects requests: raise it above the number in flight, or keep "
                                             "fewer waiting (shorter timeouts, more endpoints)",
                                             record.limit)));
    } else if (record.kind == HappeningKind::retry_budget_empty && most_time_out(played)) {
      // Hosts are slow: every retry that it lets through makes them slower.
      step.facts.push_back(
          words("retry_budget",
                fmt::format("keep it: requests fail because answers are late, and more than {:.0f} concurrent retries "
                            "would add to the load; add endpoints, or send less",
                            record.limit)));
    } else if (record.kind == HappeningKind::retry_budget_empty) {
      step.facts.push_back(words("retry_budget", fmt::format("it allows {:.0f} concurrent retries: raise "
                                                             "budget_percent or min_retry_concurrency",
                                                             record.limit)));
    }
  }
}

// What a retry on hosts that were not tried would gain.
void add_retries(const scenario::Scenario& scenario, const PlayedProxy& played, const PlayedQuestion& question,
                 Step& step) {
  constexpr double worth_saying = 0.001;
  const auto policy = retry_policy_for(scenario, question);
  config::RetryPolicy wanted = policy.value_or(config::RetryPolicy{});
  if (!policy || policy->retry_on.empty()) {
    wanted.retry_on = config::parse_retry_on("5xx,reset,connect-failure");
  }
  const std::vector<RetryTarget> targets = retry_targets(scenario, played, question, wanted);
  const RetryRule now{.attempts = policy ? policy->num_retries + 1 : 1};
  RetryRule better{.attempts = std::max(now.attempts, 2U), .previous_hosts = true};
  better.host_selection_retry_max_attempts = std::max(wanted.host_selection_retry_max_attempts, 3U);
  const auto before = chances_of_success(targets, now);
  const auto after = chances_of_success(targets, better);
  if (before.empty() || after.empty() || after.back() - before.back() < worth_saying) {
    return;
  }
  if (policy && !policy->retry_host_predicate.empty()) {
    return;
  }
  step.facts.push_back(
      words("retry_policy",
            fmt::format(
                "{}num_retries {}, previous_hosts and host_selection_retry_max_attempts {}: {} of the requests succeed "
                "instead of {}",
                policy ? "" : "retry_on 5xx,reset,connect-failure, ", better.attempts - 1,
                better.host_selection_retry_max_attempts, exact_percent(after.back()), exact_percent(before.back()))));
}

void add_panic(const PlayedProxy& played, Step& step) {
  for (const run::ProxyMoment::Balancer& balancer : played.moment.balancers) {
    if (played.outcomes && played.outcomes->no_healthy_upstream > 0 && balancer.state != nullptr &&
        balancer.state->panic_threshold == 0) {
      step.facts.push_back(words("healthy_panic_threshold",
                                 "0 never panics: where no host is left, requests fail; a "
                                 "threshold above 0 sends them to all hosts instead"));
      return;
    }
  }
}

}  // namespace

Step change_step(const scenario::Scenario& scenario, const PlayedProxy& played, const PlayedQuestion& question,
                 const scenario::Diagnostics& warnings, const scenario::Sources& sources) {
  Step step{.name = "change"};
  add_ejections(scenario, played, step);
  add_breakers(played, step);
  add_retries(scenario, played, question, step);
  add_panic(played, step);
  for (const scenario::Diagnostic& warning : warnings) {
    if (warning.code >= "SP750" && warning.code <= "SP789") {
      Fact fact = words(warning.code, printable(warning.message));
      fact.note += warning.helps.empty() ? "" : "; " + printable(warning.helps.front());
      fact.where = place_text(sources, warning.where);
      step.facts.push_back(std::move(fact));
    }
  }
  return step;
}

}  // namespace spillway::reports::explain
