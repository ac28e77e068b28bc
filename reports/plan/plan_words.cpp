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

// What is there once the bound is met: "at that rate losing zone-2 endpoints puts backend-1 (zone-1) at 80 %".
std::string binding_text(const scenario::Scenario& scenario, const plan::Plan& plan, const plan::Headroom& headroom) {
  if (!headroom.margin) {
    return "nothing binds: no objective grows with the requests";
  }
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
  const double rate = plan.rows.front().rate;
  if (!plan.utilisation_known && plan.headroom.growth > 0.0) {
    return "unknown: no endpoint says what it can do (`capacity`, or `cores` and `service_time`)";
  }
  if (!std::isfinite(plan.headroom.growth)) {
    return "nothing binds: no objective grows with the requests";
  }
  if (plan.headroom.growth == 0.0) {
    return "no rate holds: " + binding_text(scenario, plan, plan.headroom);
  }
  return fmt::format("{} ({}): {}", rate_text(rate * plan.headroom.growth), growth_text(plan.headroom.growth),
                     binding_text(scenario, plan, plan.headroom));
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
                                  : "no number of endpoints is enough";
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
  std::string proof = fewest.proved ? "" : " (fewest that were found; not every smaller number was tried)";
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
    return {"one endpoint more raises the headroom nowhere"};
  }
  std::vector<std::string> texts = {
      fmt::format("{} raises the headroom most: +{}", group_text(scenario, plan, most->group), rate_text(gain(*most)))};
  if (cheapest != nullptr) {
    texts.push_back(fmt::format("{} is cheapest: {} an hour for +{}", group_text(scenario, plan, cheapest->group),
                                money_text(*cheapest->group.price), rate_text(gain(*cheapest))));
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
    return "without limit";
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
  return fmt::format("{} of {} {}, at most {}", name_of(margin.bound.metric),
                     margin.endpoint ? endpoint_text(scenario, *margin.endpoint)
                                     : printable(scenario.services[margin.bound.service.value].name),
                     value_text(margin.bound.metric, margin.value),
                     value_text(margin.bound.metric, margin.bound.limit));
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
  std::vector<std::string> failed;
  for (const plan::Margin& margin : row.margins) {
    if (!margin.holds()) {
      failed.push_back(margin_text(scenario, margin));
    }
  }
  std::vector<std::string> open;
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
                                   : fmt::format("{} alone: nothing binds", name));
    }
  }
  if (plan.measured) {
    answers.push_back({"measured", measured_texts(scenario, plan)});
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
