#include "reports/plan/plan_words.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

#include "models/config/seconds.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/plan/plan.hpp"
#include "sim/scenario/service.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::reports {
namespace {

constexpr double alike = 1e-9;

// Formats with one decimal, without a trailing zero.
std::string one_decimal(double percentage) {
  const std::int64_t tenths = round_half_up(std::abs(percentage), 1);
  return tenths % 10 == 0 ? fmt::format("{}", tenths / 10) : fmt::format("{}.{}", tenths / 10, tenths % 10);
}

}  // namespace

bool is_tightest(const plan::Plan& plan, const plan::Row& row) {
  return row.tightest && std::isfinite(plan.headroom.growth) && plan.headroom.margin &&
         row.tightest->growth() <= plan.headroom.growth * (1.0 + alike);
}

std::optional<double> gain_of(const plan::Plan& plan, const plan::Addition& addition) {
  const double growth = addition.headroom.growth - plan.scaled_growth;
  // Headroom with one more endpoint is unknown if a measured objective limits it, because that was not simulated with
  // the endpoint.
  const bool open = plan.measured_ends_first || !plan.rows[plan.headroom.row].exact ||
                    (plan.measured && plan.headroom.margin && plan.headroom.margin->bound.below);
  return open || !std::isfinite(growth) || !std::isfinite(plan.headroom.growth)
             ? std::nullopt
             : std::optional(growth * plan.rows.front().rate);
}

std::string_view name_of(study::Metric metric) {
  return study::facts(metric).name;
}

std::string whole_percent(double fraction) {
  return fraction * 100.0 < 1.0 && fraction > 0.0 ? exact_percent(fraction)
                                                  : fmt::format("{} %", round_half_up(fraction * 100.0, 0));
}

std::string money_text(double amount) {
  const std::int64_t hundredths = round_half_up(amount, 2);
  if (hundredths == 0 && amount > 0.0) {
    return "<0.01";
  }
  return fmt::format("{}.{:02}", with_thousands(static_cast<std::uint64_t>(hundredths / 100)), hundredths % 100);
}

std::string value_text(study::Metric metric, double value) {
  switch (study::facts(metric).unit) {
    case study::Unit::seconds:
      return duration_text(value);
    case study::Unit::money:
      return money_text(value) + " a month";
    case study::Unit::share:
      break;
  }
  return metric == study::Metric::error_share ? exact_percent(value) : one_decimal(value * 100.0) + " %";
}

std::string rate_text(double rate) {
  const std::int64_t tenths = round_half_up(rate, 1);
  const std::string whole = with_thousands(static_cast<std::uint64_t>(round_half_up(rate, 0)));
  return (tenths >= 1000 || tenths % 10 == 0 ? whole : fmt::format("{}.{}", tenths / 10, tenths % 10)) + " rps";
}

std::string row_headroom_text(const plan::Plan& plan, const plan::Row& row) {
  if (!row.tightest) {
    return "";
  }
  const plan::Margin& margin = *row.tightest;
  // Where counted rows were searched, every row holds at the plan's headroom.
  const bool was_searched = !row.exact && std::isfinite(plan.headroom.growth);
  if (was_searched && margin.growth() < plan.headroom.growth) {
    return "at least " + growth_text(plan.headroom.growth);
  }
  const std::string text = growth_text(margin.growth());
  if (text.empty() || row.estimates.empty() || margin.growth() <= 1.0) {
    return text;
  }
  if (plan::judge(row.estimates) == study::Verdict::missed) {
    return "none";
  }
  // growth() of a queue without end stays a step below the limit; a bound is the limit itself. A load that was counted
  // bounds only about: a rate beyond it may have been proven.
  return (row.exact ? "at most " : "at most about ") +
         (margin.bound.below ? growth_text(margin.growth_to_limit()) : text);
}

std::string plain_seconds(std::chrono::nanoseconds at) {
  return fmt::format("{}s", config::seconds(at));
}

std::string growth_text(double growth) {
  if (!std::isfinite(growth)) {
    return "";
  }
  const double percentage = (growth - 1.0) * 100.0;
  return (percentage < 0.0 ? "-" : "+") + one_decimal(percentage) + " %";
}

std::string endpoint_text(const scenario::Scenario& scenario, config::EndpointIndex endpoint) {
  const scenario::Endpoint& of = scenario.endpoints[endpoint.value];
  return fmt::format("{} ({})", printable(of.id),
                     printable(scenario.zones[scenario.nodes[of.node.value].zone.value].name));
}

std::string limit_text(const plan::Bound& bound) {
  return (bound.below ? "below " : "at most ") + value_text(bound.metric, bound.limit);
}

std::string margin_text(const scenario::Scenario& scenario, const plan::Margin& margin) {
  const study::Metric metric = margin.bound.metric;
  if (const auto latency = plan::implied_latency(margin.bound)) {
    return fmt::format("{} of {}: {} of requests fail, {} may", name_of(*latency),
                       service_text(scenario, margin.bound.service), value_text(metric, margin.value),
                       value_text(metric, margin.bound.limit));
  }
  return fmt::format(
      "{} of {} {}{}, {}", name_of(metric),
      margin.endpoint ? endpoint_text(scenario, *margin.endpoint) : service_text(scenario, margin.bound.service),
      value_text(metric, margin.value), margin.half_width > 0.0 ? " +- " + value_text(metric, margin.half_width) : "",
      limit_text(margin.bound));
}

std::string cause_text(plan::Cause cause) {
  switch (cause) {
    case plan::Cause::no_host:
      return "no endpoint to send them to";
    case plan::Cause::panic:
      return "panic sends them to endpoints that are lost";
    case plan::Cause::lost:
      return "they go to endpoints that are lost";
    case plan::Cause::link:
      return "they go over a link that is out";
    case plan::Cause::failing:
      return "endpoints refuse them, answer with errors or break connections off";
    case plan::Cause::timeout:
      return "they time out";
    case plan::Cause::overflow:
      return "a circuit breaker overflows";
    case plan::Cause::queue_full:
      return "queues at endpoints are full";
    case plan::Cause::drop_overload:
      return "`drop_overloads` drops them";
    case plan::Cause::unfinished:
      return "no answer comes before the simulation ends";
  }
  return "";
}

std::string place_text(const scenario::Scenario& scenario, const scenario::EndpointGroup& group,
                       const std::vector<plan::Part>& all) {
  const std::string zone = printable(scenario.zones[group.zone.value].name);
  if (!group.workload.empty()) {
    const bool has_namesake = std::any_of(all.begin(), all.end(), [&](const plan::Part& other) {
      return other.group.workload == group.workload && other.group.zone == group.zone &&
             other.group.service != group.service;
    });
    return printable(group.workload) + (has_namesake ? " of " + service_text(scenario, group.service) : "") + " in " +
           zone;
  }
  const bool several = std::any_of(all.begin(), all.end(),
                                   [&](const plan::Part& other) { return other.group.service != group.service; });
  const bool has_neighbour = std::any_of(all.begin(), all.end(), [&](const plan::Part& other) {
    return other.group.service == group.service && other.group.zone == group.zone && other.group.place != group.place;
  });
  return (several ? service_text(scenario, group.service) + " in " + zone : zone) +
         (has_neighbour ? fmt::format(" (endpoints[{}])", group.place.group) : "");
}

std::string service_text(const scenario::Scenario& scenario, config::ServiceIndex service) {
  const std::string& name = scenario.services[service.value].name;
  constexpr std::string_view domain = ".svc.cluster.local";
  const std::size_t dot = name.find('.');
  if (!name.ends_with(domain) || dot == std::string::npos) {
    return printable(name);
  }
  const std::string first = name.substr(0, dot);
  std::set<std::string> others;
  for (const scenario::Service& other : scenario.services) {
    if (other.name != name && (other.name == first || other.name.starts_with(first + "."))) {
      others.insert(other.name);
    }
  }
  return printable(others.empty() ? first : name);
}

std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t most = 4;
  return names.size() <= most + 1
             ? joined(names, ", ")
             : fmt::format("{} and {} more", joined({names.begin(), names.begin() + most}, ", "), names.size() - most);
}

std::vector<std::string> objective_texts(const scenario::Scenario& scenario, const plan::Plan& plan) {
  std::map<std::uint32_t, std::vector<std::string>> by_service;
  for (const plan::Bound& bound : plan.bounds) {
    by_service[bound.service.value].push_back(
        fmt::format("{} {}{}", name_of(bound.metric), limit_text(bound),
                    bound.assumed && !plan.assumed_objectives ? " (default)" : ""));
  }
  std::vector<std::pair<std::string, std::vector<std::string>>> services_of;  // by text
  for (const auto& [service, bounds] : by_service) {
    const std::string text = joined(bounds, ", ");
    const auto known =
        std::find_if(services_of.begin(), services_of.end(), [&](const auto& of) { return of.first == text; });
    const std::string name = service_text(scenario, {service});
    if (known == services_of.end()) {
      services_of.push_back({text, {name}});
    } else {
      known->second.push_back(name);
    }
  }
  std::vector<std::string> texts;
  for (const auto& [text, names] : services_of) {
    texts.push_back(names_text(names) + ": " + text);
  }
  return texts;
}

std::string estimate_value_text(const plan::Estimate& estimate) {
  const bool latency = !plan::follows_from_shares(estimate.bound.metric);
  const std::string quantile = !latency            ? ""
                               : estimate.quantile ? duration_text(*estimate.quantile) + ", "
                                                   : "unbounded, ";
  const char* const missed = !latency ? "failed" : estimate.failed > 0.0 ? "failed or took longer" : "took longer";
  return fmt::format("{}{} of requests {} ({} to {})", quantile, exact_percent(estimate.missed), missed,
                     exact_percent(estimate.low), exact_percent(estimate.high));
}

std::string estimate_text(const scenario::Scenario& scenario, const plan::Estimate& estimate) {
  const study::Metric metric = estimate.bound.metric;
  const std::string may =
      plan::follows_from_shares(metric) ? "" : fmt::format(", at most {} may", exact_percent(estimate.allowed()));
  const auto needed = estimate.requests_needed();
  const std::string lacking = needed ? fmt::format("; {} requests do not decide it, about {} would",
                                                   with_thousands(estimate.requests), with_thousands(*needed))
                                     : "";
  return fmt::format("{} of {} at most {}: {}{}{}", name_of(metric), service_text(scenario, estimate.bound.service),
                     value_text(metric, estimate.bound.limit), estimate_value_text(estimate), may, lacking);
}

std::string verdict_text(const scenario::Scenario& scenario, const plan::Plan& plan, const plan::Row& row) {
  if (row.has_no_traffic()) {
    return "no traffic";
  }
  std::vector<std::string> failed;
  std::vector<std::string> open;
  for (const plan::Margin& margin : row.margins) {
    // If a metric was also measured, the measurement counts.
    const bool measured = std::any_of(row.estimates.begin(), row.estimates.end(), [&](const plan::Estimate& estimate) {
      return estimate.bound.metric == margin.bound.metric && estimate.bound.service == margin.bound.service &&
             estimate.judgement() == margin.judgement();
    });
    if (!margin.holds() && !measured) {
      (margin.judgement() == study::Verdict::missed ? failed : open).push_back(margin_text(scenario, margin));
    }
  }
  for (const plan::Bound& bound : row.unknown) {
    open.push_back(fmt::format("{} of {} is unknown", name_of(bound.metric), service_text(scenario, bound.service)));
  }
  for (const plan::Estimate& estimate : row.estimates) {
    if (estimate.judgement() == study::Verdict::missed) {
      failed.push_back(estimate_text(scenario, estimate));
    } else if (estimate.judgement() == study::Verdict::undecided) {
      open.push_back(estimate_text(scenario, estimate));
    }
  }
  if (!failed.empty()) {
    return "failed: " + joined(failed, "; ");
  }
  if (!open.empty()) {
    return "undecided: " + joined(open, "; ");
  }
  return is_tightest(plan, row) ? "OK, tightest" : "OK";
}

}  // namespace spillway::reports
