#include "reports/plan/plan_words.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "reports/percent.hpp"
#include "reports/text_table.hpp"

namespace spillway::reports {
namespace {

constexpr double alike = 1e-9;

// One decimal, without a zero behind the point.
std::string one_decimal(double percentage) {
  const std::int64_t tenths = round_half_up(std::abs(percentage), 1);
  return tenths % 10 == 0 ? fmt::format("{}", tenths / 10) : fmt::format("{}.{}", tenths / 10, tenths % 10);
}

// The bound's growth is that of the whole plan.
bool binds(const plan::Plan& plan, const plan::Row& row) {
  return row.tightest && std::isfinite(plan.headroom.growth) && plan.headroom.margin &&
         row.tightest->growth() <= plan.headroom.growth * (1.0 + alike);
}

std::string losing(const plan::Plan& plan, std::size_t row) {
  return row == 0 ? "with everything up" : "losing " + printable(plan.rows[row].failure.name);
}

// The first of the rows that are worst, with its verdict.
std::string worst_text(const scenario::Scenario& scenario, const plan::Plan& plan) {
  for (std::size_t row = 0; row < plan.rows.size(); ++row) {
    if (!plan.rows[row].has_no_traffic() && plan.rows[row].judgement() == plan.judgement()) {
      return losing(plan, row) + ", the plan " + verdict_text(scenario, plan, plan.rows[row]);
    }
  }
  return "no client sends anything";
}

// What is there once the bound is met: "at that rate losing zone-2 endpoints puts backend-1 (zone-1) at 80 %".
std::string binding_text(const scenario::Scenario& scenario, const plan::Plan& plan, const plan::Headroom& headroom) {
  const plan::Margin& margin = *headroom.margin;
  if (headroom.growth == 0.0) {
    return fmt::format("{}, {}, at any rate", losing(plan, headroom.row), margin_text(scenario, margin));
  }
  if (margin.bound.metric == plan::Metric::utilisation && margin.endpoint) {
    return fmt::format("at that rate, {}, {} is at {}", losing(plan, headroom.row),
                       endpoint_text(scenario, *margin.endpoint), value_text(margin.bound.metric, margin.bound.limit));
  }
  return fmt::format("at that rate, {}, {} of {} is {}", losing(plan, headroom.row), name_of(margin.bound.metric),
                     printable(scenario.services[margin.bound.service.value].name),
                     value_text(margin.bound.metric, margin.bound.limit));
}

std::string headroom_text(const scenario::Scenario& scenario, const plan::Plan& plan) {
  const plan::Headroom& headroom = plan.headroom;
  const double rate = plan.rows.front().rate;
  if (!plan.utilisation_known && headroom.growth > 0.0) {
    return "unknown: no endpoint says what it can do (`capacity`, or `cores` and `service_time`)";
  }
  if (!std::isfinite(headroom.growth)) {
    return plan.measured ? "see `measured`: no objective that is computed grows with the requests"
           : plan.judgement() == plan::Judgement::holds ? "not limited: no objective grows with the requests"
                                                        : "none: " + worst_text(scenario, plan);
  }
  if (headroom.growth == 0.0) {
    const bool open = headroom.margin && headroom.margin->judgement() == plan::Judgement::open;
    return (open ? "undecided at any rate: " : "no rate holds: ") +
           (headroom.margin ? binding_text(scenario, plan, headroom) : worst_text(scenario, plan));
  }
  std::string text = fmt::format("{} ({}): {}", rate_text(rate * headroom.growth), growth_text(headroom.growth),
                                 binding_text(scenario, plan, headroom));
  constexpr double narrow = 1.02 + 1e-9;
  if (headroom.fails) {
    text += fmt::format("; {} fails", rate_text(rate * *headroom.fails));
    if (*headroom.fails > headroom.growth * narrow) {
      text +=
          ", and between them the interval of the counts holds the limit: more replications or a longer duration "
          "narrow it";
    }
  }
  return text;
}

// What was seen, and no more.
std::vector<std::string> measured_texts(const scenario::Scenario& scenario, const plan::Plan& plan) {
  const plan::MeasuredHeadroom& measured = *plan.measured;
  const double rate = plan.rows.front().rate;
  std::string held = measured.holds == 0.0 ? "no rate was seen to hold every objective"
                                           : fmt::format("{} ({}) was seen to hold every objective",
                                                         rate_text(rate * measured.holds), growth_text(measured.holds));
  if (measured.fails) {
    held += fmt::format(", {} ({}) to fail one", rate_text(rate * *measured.fails), growth_text(*measured.fails));
  }
  held += fmt::format("; {} replications", measured.replications);
  constexpr double narrow = 1.02 + 1e-9;
  if (measured.holds > 0.0 && measured.fails && *measured.fails > measured.holds * narrow) {
    held += "; between the two the interval holds the limit: more replications or a longer duration narrow it";
  }
  std::vector<std::string> texts = {held};
  if (measured.estimate) {
    texts.push_back(
        fmt::format("it ends {}: {}", losing(plan, measured.row), estimate_text(scenario, *measured.estimate)));
  }
  return texts;
}

std::string group_text(const scenario::Scenario& scenario, const plan::Plan& plan,
                       const scenario::EndpointGroup& group) {
  const bool several = std::any_of(plan.additions.begin(), plan.additions.end(),
                                   [&](const plan::Addition& other) { return other.group.service != group.service; });
  const std::string zone = printable(scenario.zones[group.zone.value].name);
  return several ? printable(scenario.services[group.service.value].name) + " in " + zone : zone;
}

std::string fewest_text(const scenario::Scenario& scenario, const plan::Plan& plan) {
  if (!plan.utilisation_known) {
    return "unknown: no endpoint says what it can do (`capacity`, or `cores` and `service_time`)";
  }
  if (!plan.fewest) {
    return plan.additions.empty() ? "no group of endpoints has a number that may change"
           : plan.fewest_bounded  ? "not found: the search ended where it became too long"
                                  : "no number of endpoints that was tried is enough";
  }
  const plan::Fewest& fewest = *plan.fewest;
  std::vector<std::string> parts;
  std::map<std::string, std::uint32_t> sums;
  std::vector<std::string> order;
  for (const plan::Part& part : fewest.parts) {
    const std::string where = group_text(scenario, plan, part.group);
    if (sums.emplace(where, 0).second) {
      order.push_back(where);
    }
    sums[where] += part.count;
  }
  for (const std::string& where : order) {
    parts.push_back(fmt::format("{} {}", where, sums[where]));
  }
  std::string proof = fewest.proved         ? ""
                      : plan.fewest_bounded ? " (fewest that were found; the search ended where it became too long)"
                                            : " (fewest that were found; not every smaller number was tried)";
  if (fewest.measured) {
    constexpr const char* words[] = {"seen to hold", "undecided", "not enough"};
    proof = fmt::format(" ({} of them for what is measured, which is {}; not every smaller number was tried)",
                        fewest.raised, words[static_cast<std::size_t>(*fewest.measured)]);
  }
  return fmt::format("{} instead of {}: {}{}", fewest.endpoints, fewest.now, joined(parts, ", "), proof);
}

std::vector<std::string> addition_texts(const scenario::Scenario& scenario, const plan::Plan& plan) {
  const plan::Addition* most = nullptr;
  const plan::Addition* cheapest = nullptr;
  const double rate = plan.rows.front().rate;
  const auto gain = [&](const plan::Addition& addition) {
    return rate * (addition.headroom.growth - plan.headroom.growth);
  };
  const auto per_price = [&](const plan::Addition& addition) {
    return *addition.group.price > 0.0 ? gain(addition) / *addition.group.price : gain(addition) * 1e12;
  };
  for (const plan::Addition& addition : plan.additions) {
    if (!std::isfinite(addition.headroom.growth) || gain(addition) <= rate * alike) {
      continue;
    }
    if (most == nullptr || gain(addition) > gain(*most) * (1.0 + alike)) {
      most = &addition;
    }
    if (addition.group.price && (cheapest == nullptr || per_price(addition) > per_price(*cheapest) * (1.0 + alike))) {
      cheapest = &addition;
    }
  }
  if (most == nullptr) {
    return {"one more endpoint adds no headroom in any group"};
  }
  std::vector<std::string> texts = {
      fmt::format("{} raises the headroom most: +{}", group_text(scenario, plan, most->group), rate_text(gain(*most)))};
  if (cheapest != nullptr) {
    texts.push_back(fmt::format("{} is cheapest: {} an hour for +{}", group_text(scenario, plan, cheapest->group),
                                money_text(*cheapest->group.price), rate_text(gain(*cheapest))));
  }
  return texts;
}

// Every client whose requests fail, and why; of many the first ones.
std::vector<std::string> failing_texts(const scenario::Scenario& scenario, const plan::Plan& plan) {
  constexpr std::size_t most = 12;
  std::vector<std::string> texts;
  std::size_t left_out = 0;
  for (std::size_t row = 0; row < plan.rows.size(); ++row) {
    for (const plan::FailedRequests& failing : plan.rows[row].failing) {
      if (texts.size() == most) {
        ++left_out;
        continue;
      }
      texts.push_back(fmt::format("{}: {} of {} to {}: {}", losing(plan, row), exact_percent(failing.share),
                                  printable(scenario.clients[failing.client.value].name),
                                  printable(scenario.services[failing.service.value].name), cause_text(failing.cause)));
    }
  }
  if (left_out > 0) {
    texts.push_back(fmt::format("and {} more (-o json lists all)", with_thousands(left_out)));
  }
  return texts;
}

std::string onset_text(const scenario::Scenario& scenario, const plan::Onset& onset) {
  const auto number = [&](const std::optional<std::uint32_t>& lost) {
    return lost ? fmt::format("from {} of {} lost", *lost, onset.endpoints) : std::string("never");
  };
  const std::string service = printable(scenario.services[onset.service.value].name);
  return fmt::format("{} for {}: leaves the zone {}, panic {}", printable(scenario.zones[onset.zone.value].name),
                     service, number(onset.leaves_zone_at), number(onset.panic_at));
}

}  // namespace

std::string_view name_of(plan::Metric metric) {
  switch (metric) {
    case plan::Metric::p50:
      return "p50";
    case plan::Metric::p90:
      return "p90";
    case plan::Metric::p99:
      return "p99";
    case plan::Metric::error_share:
      return "error_share";
    case plan::Metric::cross_zone_share:
      return "cross_zone_share";
    case plan::Metric::cross_zone_cost:
      return "cross_zone_cost";
    case plan::Metric::utilisation:
      break;
  }
  return "utilisation";
}

std::string money_text(double amount) {
  const std::int64_t hundredths = round_half_up(amount, 2);
  if (hundredths == 0 && amount > 0.0) {
    return "<0.01";
  }
  return fmt::format("{}.{:02}", with_thousands(static_cast<std::uint64_t>(hundredths / 100)), hundredths % 100);
}

std::string value_text(plan::Metric metric, double value) {
  switch (metric) {
    case plan::Metric::p50:
    case plan::Metric::p90:
    case plan::Metric::p99:
      return duration_text(value);
    case plan::Metric::cross_zone_cost:
      return money_text(value) + " a month";
    case plan::Metric::error_share:
      return exact_percent(value);
    case plan::Metric::utilisation:
    case plan::Metric::cross_zone_share:
      break;
  }
  return one_decimal(value * 100.0) + " %";
}

std::string rate_text(double rate) {
  const std::int64_t tenths = round_half_up(rate, 1);
  const std::string whole = with_thousands(static_cast<std::uint64_t>(round_half_up(rate, 0)));
  return (tenths >= 1000 || tenths % 10 == 0 ? whole : fmt::format("{}.{}", tenths / 10, tenths % 10)) + " rps";
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

std::string margin_text(const scenario::Scenario& scenario, const plan::Margin& margin) {
  const plan::Metric metric = margin.bound.metric;
  return fmt::format("{} of {} {}{}, at most {}", name_of(metric),
                     margin.endpoint ? endpoint_text(scenario, *margin.endpoint)
                                     : printable(scenario.services[margin.bound.service.value].name),
                     value_text(metric, margin.value),
                     margin.half_width > 0.0 ? " +- " + value_text(metric, margin.half_width) : "",
                     value_text(metric, margin.bound.limit));
}

std::string_view name_of(plan::Judgement judgement) {
  return judgement == plan::Judgement::holds ? "holds" : judgement == plan::Judgement::open ? "undecided" : "fails";
}

std::string cause_text(plan::Cause cause) {
  switch (cause) {
    case plan::Cause::no_host:
      return "no endpoint to send them to";
    case plan::Cause::panic:
      return "panic sends them to endpoints that are lost";
    case plan::Cause::lost:
      return "they go to endpoints that are lost";
    case plan::Cause::failing:
      return "endpoints answer with errors or break connections off";
    case plan::Cause::timeout:
      return "they time out";
    case plan::Cause::overflow:
      return "a circuit breaker overflows";
    case plan::Cause::queue_full:
      return "queues at endpoints are full";
  }
  return "";
}

std::vector<std::string> objective_texts(const scenario::Scenario& scenario, const plan::Plan& plan) {
  std::map<std::uint32_t, std::vector<std::string>> by_service;
  for (const plan::Bound& bound : plan.bounds) {
    by_service[bound.service.value].push_back(
        fmt::format("{} at most {}", name_of(bound.metric), value_text(bound.metric, bound.limit)));
  }
  std::vector<std::string> texts;
  for (const auto& [service, bounds] : by_service) {
    texts.push_back(printable(scenario.services[service].name) + ": " + joined(bounds, ", "));
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
  const plan::Metric metric = estimate.bound.metric;
  const std::string may =
      plan::follows_from_shares(metric) ? "" : fmt::format(", at most {} may", exact_percent(estimate.allowed()));
  return fmt::format("{} of {} at most {}: {}{}", name_of(metric),
                     printable(scenario.services[estimate.bound.service.value].name),
                     value_text(metric, estimate.bound.limit), estimate_value_text(estimate), may);
}

std::string verdict_text(const scenario::Scenario& scenario, const plan::Plan& plan, const plan::Row& row) {
  if (row.has_no_traffic()) {
    return "no traffic";
  }
  std::vector<std::string> failed;
  std::vector<std::string> open;
  for (const plan::Margin& margin : row.margins) {
    // Where it was measured too, what was measured counts.
    const bool measured = std::any_of(row.estimates.begin(), row.estimates.end(), [&](const plan::Estimate& estimate) {
      return estimate.bound.metric == margin.bound.metric && estimate.bound.service == margin.bound.service &&
             estimate.judgement() == margin.judgement();
    });
    if (!margin.holds() && !measured) {
      (margin.judgement() == plan::Judgement::fails ? failed : open).push_back(margin_text(scenario, margin));
    }
  }
  for (const plan::Bound& bound : row.unknown) {
    open.push_back(fmt::format("{} of {} is not known", name_of(bound.metric),
                               printable(scenario.services[bound.service.value].name)));
  }
  for (const plan::Estimate& estimate : row.estimates) {
    if (estimate.judgement() == plan::Judgement::fails) {
      failed.push_back(estimate_text(scenario, estimate));
    } else if (estimate.judgement() == plan::Judgement::open) {
      open.push_back(estimate_text(scenario, estimate));
    }
  }
  if (!failed.empty()) {
    return "fails: " + joined(failed, "; ");
  }
  if (!open.empty()) {
    return "undecided: " + joined(open, "; ");
  }
  return binds(plan, row) ? "holds, binds" : "holds";
}

std::vector<Answer> plan_answers(const scenario::Scenario& scenario, const plan::Plan& plan) {
  std::vector<Answer> answers = {{"headroom", {headroom_text(scenario, plan)}}};
  if (plan.services.size() > 1) {
    for (const plan::ServiceHeadroom& of : plan.services) {
      const std::string name = printable(scenario.services[of.service.value].name);
      answers.front().sentences.push_back(
          std::isfinite(of.growth) ? fmt::format("{} alone: {} ({}), {}", name, rate_text(of.rate * of.growth),
                                                 growth_text(of.growth), losing(plan, of.row))
                                   : fmt::format("{} alone: no objective grows with its requests", name));
    }
  }
  if (plan.measured) {
    answers.push_back({"measured", measured_texts(scenario, plan)});
  }
  if (auto failing = failing_texts(scenario, plan); !failing.empty()) {
    answers.push_back({"failed requests", std::move(failing)});
  }
  answers.push_back({"fewest endpoints", {fewest_text(scenario, plan)}});
  answers.push_back({"next endpoint", addition_texts(scenario, plan)});
  Answer spill{"spill", {}};
  for (const plan::Onset& onset : plan.onsets) {
    spill.sentences.push_back(onset_text(scenario, onset));
  }
  if (!spill.sentences.empty()) {
    answers.push_back(std::move(spill));
  }
  return answers;
}

}  // namespace spillway::reports
