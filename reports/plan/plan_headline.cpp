#include "reports/plan/plan_headline.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <tuple>

#include "models/config/seconds.hpp"
#include "reports/plan/plan_help.hpp"
#include "reports/plan/plan_words.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/plan/plan.hpp"
#include "sim/scenario/service.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::reports {
namespace {

constexpr double hours_of_month = 730.0;
// Prices that differ by at most this part are equal.
constexpr double same_price = 1e-9;

std::string month_text(double price_per_hour) {
  return money_text(price_per_hour * hours_of_month) + " a month";
}

std::string and_joined(const std::vector<std::string>& parts) {
  if (parts.size() < 2) {
    return parts.empty() ? "" : parts.front();
  }
  return joined({parts.begin(), parts.end() - 1}, ", ") + " and " + parts.back();
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", with_thousands(count), count == 1 ? one : many);
}

// Returns the price of a month of these endpoints; nullopt if one has none.
std::optional<double> price_of_month(const std::vector<plan::Part>& parts) {
  std::optional<double> sum = 0.0;
  for (const plan::Part& part : parts) {
    sum =
        sum && part.group.price ? std::optional(*sum + *part.group.price * part.count * hours_of_month) : std::nullopt;
  }
  return sum;
}

// Returns the missed share, cost or latency of a failing estimate or margin.
std::string missed_estimate_text(const scenario::Scenario& scenario, const plan::Estimate& estimate) {
  const std::string service = service_text(scenario, estimate.bound.service);
  if (estimate.bound.metric == study::Metric::error_share) {
    return fmt::format("{} of the requests to {} fail (limit {})", exact_percent(estimate.missed), service,
                       exact_percent(estimate.bound.limit));
  }
  return fmt::format("{} of the requests to {} {} {} ({} may, for {})", exact_percent(estimate.missed), service,
                     estimate.failed > 0.0 ? "fail or take longer than" : "take longer than",
                     value_text(estimate.bound.metric, estimate.bound.limit), exact_percent(estimate.allowed()),
                     name_of(estimate.bound.metric));
}

// Describes a row whose endpoints cannot answer more of its requests than any objective on errors allows, although
// fewer have failed by the end of the simulation; empty for others.
std::string overload_text(const scenario::Scenario& scenario, const plan::Row& row) {
  std::optional<double> limit;
  for (const plan::Margin& margin : row.margins) {
    if (margin.bound.metric == study::Metric::error_share && !plan::implied_latency(margin.bound)) {
      limit = std::max(limit.value_or(0.0), margin.bound.limit);
    }
  }
  double counted = row.failed;
  for (const plan::Estimate& estimate : row.estimates) {
    counted = std::max(counted, estimate.failed);
  }
  return limit && row.busiest && row.lost_in_long_run > std::max(*limit, counted)
             ? fmt::format("{} is at {} and {} of the requests cannot be answered in the long run (limit {})",
                           endpoint_text(scenario, *row.busiest),
                           value_text(study::Metric::utilisation, row.utilisation.value_or(0.0)),
                           exact_percent(row.lost_in_long_run), exact_percent(*limit))
             : "";
}

// Returns the objectives' order of a headline: failed requests, latency, then load.
int rank_of(study::Metric metric) {
  return metric == study::Metric::error_share   ? 0
         : !plan::follows_from_shares(metric)   ? 1
         : metric == study::Metric::utilisation ? 2
                                                : 3;
}

// Returns the sentence about the rows nearest to their limits; empty if no row has a limit.
std::string tightest_text(const scenario::Scenario& scenario, const plan::Plan& plan) {
  std::vector<std::string> names;
  const plan::Row* first = nullptr;
  for (const plan::Row& row : plan.rows) {
    if (is_tightest(plan, row) && row.tightest->bound.metric == study::Metric::utilisation && row.tightest->endpoint &&
        (first == nullptr || (first->tightest->endpoint == row.tightest->endpoint &&
                              std::abs(first->tightest->value - row.tightest->value) < 1e-9))) {
      first = first == nullptr ? &row : first;
      names.push_back(losing_text(scenario, plan, row));
    }
  }
  if (first == nullptr) {
    return "";
  }
  constexpr std::size_t most = 3;
  const std::size_t left_out = names.size() > most ? names.size() - most : 0;
  names.resize(std::min(names.size(), most));
  for (std::size_t index = 1; index < names.size(); ++index) {
    names[index] = names[index].starts_with("losing ") ? names[index].substr(7) : names[index];
  }
  const plan::Margin& margin = *first->tightest;
  return fmt::format(" Tightest: {}{}{} {} at {}, limit {}.", joined(names, " or "),
                     left_out > 0 ? fmt::format(" or {} more", left_out) : "",
                     first == &plan.rows.front() ? "," : " puts", endpoint_text(scenario, *margin.endpoint),
                     value_text(margin.bound.metric, margin.value),
                     value_text(margin.bound.metric, margin.bound.limit));
}

// Adds sentences about costs and the number of endpoints; adds none if neither is known.
void add_layouts(const scenario::Scenario& scenario, const plan::Plan& plan, std::vector<std::string>& sentences) {
  if (!plan.fewest) {
    return;
  }
  const plan::Fewest& fewest = *plan.fewest;
  if (plan.price_now && *plan.price_now > 0.0) {
    const std::string now = fmt::format("{} {} {}", counted(fewest.now, "endpoint", "endpoints"),
                                        fewest.now == 1 ? "costs" : "cost", month_text(*plan.price_now));
    const bool as_many = fewest.endpoints >= fewest.now;
    const bool cheaper = fewest.price && *fewest.price < *plan.price_now * (1.0 - same_price);
    // Where prices differ, it matters which ones they are.
    const bool prices_differ = std::any_of(fewest.parts.begin(), fewest.parts.end(), [&](const plan::Part& part) {
      return part.group.price != fewest.parts.front().group.price;
    });
    constexpr std::size_t few = 6;
    const std::string details =
        (prices_differ && fewest.parts.size() <= few ? parts_text(scenario, fewest.parts) + ": " : "") +
        (fewest.price ? month_text(*fewest.price) : "price unknown");
    if (!as_many) {
      sentences.push_back(fmt::format("{}; {} {} enough ({}).", now, with_thousands(fewest.endpoints),
                                      fewest.endpoints == 1 ? "is" : "are", details));
    } else if (cheaper) {
      sentences.push_back(fmt::format("{}; as many elsewhere are enough ({}).", now, details));
    } else {
      sentences.push_back(
          fmt::format("{}; {}.", now, fewest.proved ? "fewer are not enough" : "no fewer were found to be enough"));
    }
  } else if (fewest.endpoints < fewest.now) {
    sentences.push_back(
        fmt::format("{} of {} endpoints are enough.", with_thousands(fewest.endpoints), with_thousands(fewest.now)));
  }
  if (plan.cheapest && plan.cheapest->price && fewest.price &&
      *plan.cheapest->price < *fewest.price * (1.0 - same_price)) {
    sentences.push_back(fmt::format("The cheapest layout costs {}: {}.", month_text(*plan.cheapest->price),
                                    parts_text(scenario, plan.cheapest->parts)));
  }
}

void add_growth(const plan::Plan& plan, std::vector<std::string>& sentences) {
  const double growth = plan.headroom.growth;
  if (!plan.utilisation_known || !std::isfinite(growth) || growth < 1.0) {
    return;
  }
  const double rate = plan.rows.front().rate * growth;
  constexpr double hardly = 1.0005;
  const double fails = plan.headroom.fails.value_or(growth);
  if (growth >= hardly) {
    sentences.push_back(fmt::format("Traffic can grow {}, to {}.", growth_text(growth).substr(1), rate_text(rate)));
  } else if (fails <= growth * resolution_of_search) {
    sentences.push_back("Traffic cannot grow.");
  } else {
    sentences.push_back(
        fmt::format("It is undecided whether traffic can grow; {} fails.", rate_text(plan.rows.front().rate * fails)));
  }
}

}  // namespace

std::string missed_margin_text(const scenario::Scenario& scenario, const plan::Margin& margin) {
  if (margin.bound.metric == study::Metric::error_share && plan::implied_latency(margin.bound)) {
    return margin_text(scenario, margin);
  }
  const std::string service = service_text(scenario, margin.bound.service);
  const std::string limit = value_text(margin.bound.metric, margin.bound.limit);
  switch (margin.bound.metric) {
    case study::Metric::error_share:
      return fmt::format("{} of the requests to {} fail (limit {})", exact_percent(margin.value), service, limit);
    case study::Metric::cross_zone_share:
      return fmt::format("{} of the requests to {} leave their zone (limit {})",
                         value_text(margin.bound.metric, margin.value), service, limit);
    case study::Metric::cross_zone_cost:
      return fmt::format("traffic of {} between zones costs {} (limit {})", service,
                         value_text(margin.bound.metric, margin.value), limit);
    case study::Metric::machine_cost:
      return fmt::format("the endpoints of {} cost {} (limit {})", service,
                         value_text(margin.bound.metric, margin.value), limit);
    case study::Metric::utilisation:
      return fmt::format("{} is at {} ({} {})", margin.endpoint ? endpoint_text(scenario, *margin.endpoint) : service,
                         value_text(margin.bound.metric, margin.value), margin.bound.below ? "below" : "limit", limit);
    default:
      return margin_text(scenario, margin);
  }
}

std::string lost_text(const scenario::Scenario& scenario, const plan::Row& row) {
  for (const scenario::Zone& zone : scenario.zones) {
    if (row.failure.name == zone.name + " endpoints") {
      return printable(zone.name);
    }
  }
  return printable(row.failure.name);
}

std::string losing_text(const scenario::Scenario& scenario, const plan::Plan& plan, const plan::Row& row) {
  return &row == &plan.rows.front()                      ? "with nothing lost"
         : row.failure.is_gray() || row.failure.degraded ? "with " + lost_text(scenario, row)
                                                         : "losing " + lost_text(scenario, row);
}

std::string missed_text(const scenario::Scenario& scenario, const plan::Row& row) {
  if (const std::string text = overload_text(scenario, row); !text.empty()) {
    return text;
  }
  std::map<int, std::string> by_rank;
  for (const plan::Estimate& estimate : row.estimates) {
    if (estimate.judgement() == study::Verdict::missed) {
      by_rank.try_emplace(rank_of(estimate.bound.metric), missed_estimate_text(scenario, estimate));
    }
  }
  for (const plan::Margin& margin : row.margins) {
    if (margin.judgement() == study::Verdict::missed) {
      by_rank.try_emplace(rank_of(margin.bound.metric), missed_margin_text(scenario, margin));
    }
  }
  return by_rank.empty() ? "" : by_rank.begin()->second;
}

std::string parts_text(const scenario::Scenario& scenario, const std::vector<plan::Part>& parts) {
  std::vector<std::string> texts;
  for (const plan::Part& part : parts) {
    const std::string place = place_text(scenario, part.group, parts);
    const bool names_more = part.group.service != parts.front().group.service || !part.group.workload.empty() ||
                            parts.back().group.service != parts.front().group.service;
    if (part.count > 0) {
      texts.push_back(fmt::format("{} {}{}", with_thousands(part.count), names_more ? "" : "in ", place));
    }
  }
  return and_joined(texts);
}

std::string more_text(const scenario::Scenario& scenario, const plan::Fewest& layout) {
  std::vector<plan::Part> more;
  std::optional<double> price = 0.0;
  std::uint32_t endpoints = 0;
  for (const plan::Part& part : layout.parts) {
    const std::uint32_t added = part.count > part.group.count ? part.count - part.group.count : 0;
    more.push_back({part.group, added});
    endpoints += added;
    if (added > 0) {
      price = price && part.group.price ? std::optional(*price + *part.group.price * added) : std::nullopt;
    }
  }
  return fmt::format("{}: {}{}", counted(endpoints, "more endpoint", "more endpoints"), parts_text(scenario, more),
                     price ? " (" + month_text(*price) + ")" : "");
}

std::string step_text(const scenario::Scenario& scenario, const plan::Plan& plan, const plan::NextStep& step) {
  const std::string rest = (step.price ? " (" + month_text(*step.price) + ")" : "") + " for +" +
                           rate_text(step.gain * plan.rows.front().rate);
  if (std::any_of(step.parts.begin(), step.parts.end(), [](const plan::Part& part) { return part.count > 1; })) {
    return parts_text(scenario, step.parts) + " more" + rest;
  }
  std::vector<plan::Part> all;
  for (const plan::Addition& addition : plan.additions) {
    all.push_back({addition.group, 1});
  }
  std::vector<std::string> places;
  for (const plan::Part& part : step.parts) {
    places.push_back(place_text(scenario, part.group, all));
  }
  return fmt::format("one more in {}{}{}", places.size() > 1 ? "each of " : "", and_joined(places), rest);
}

std::string too_dear_text(const scenario::Scenario& scenario, const plan::Plan& plan) {
  if (!plan.too_dear) {
    return "";
  }
  // Costs of traffic with these endpoints are not known here: they are to blame if no cost of endpoints is.
  std::vector<std::string> limits;
  std::vector<std::string> missed;
  for (const plan::Bound& bound : plan.bounds) {
    if (study::facts(bound.metric).unit != study::Unit::money) {
      continue;
    }
    limits.push_back(
        fmt::format("{} of {} {}", name_of(bound.metric), service_text(scenario, bound.service), limit_text(bound)));
    std::vector<plan::Part> own = plan.too_dear->parts;
    std::erase_if(own, [&](const plan::Part& part) { return part.group.service != bound.service; });
    const auto price = bound.metric == study::Metric::machine_cost ? price_of_month(own) : std::nullopt;
    if (price && *price > bound.limit) {
      missed.push_back(limits.back());
    }
  }
  return fmt::format("Every other objective is met by {}: {}{}. None that was tried also keeps {}.",
                     counted(plan.too_dear->endpoints, "endpoint", "endpoints"),
                     parts_text(scenario, plan.too_dear->parts),
                     plan.too_dear->price ? " (" + month_text(*plan.too_dear->price) + ")" : "",
                     and_joined(missed.empty() ? limits : missed));
}

namespace {

// True if some row misses an objective because its endpoints are overloaded.
bool any_overload(const plan::Plan& plan) {
  return std::any_of(plan.rows.begin(), plan.rows.end(), [](const plan::Row& row) {
    return row.judgement() == study::Verdict::missed && row.utilisation.value_or(0.0) >= 1.0;
  });
}

// Returns why a bound of the row is unknown.
std::string unknown_text(const plan::Plan& plan, const plan::Row& row) {
  if (plan.partial) {
    return "its requests were not counted before the time was over";
  }
  switch (row.unknown.front().metric) {
    case study::Metric::utilisation:
      return "the utilisation is unknown, since no endpoint has a capacity";
    case study::Metric::machine_cost:
      return "the cost of machines is unknown, since an endpoint has no `price`";
    default:
      return fmt::format("the {} is unknown", name_of(row.unknown.front().metric));
  }
}

}  // namespace

PlanHeadline plan_headline(const scenario::Scenario& scenario, const plan::Plan& plan) {
  PlanHeadline headline;
  const plan::Row* const worst = plan.worst();
  const std::size_t failures = plan.rows.size() - 1;
  std::size_t alike = 0;
  for (const plan::Row& row : plan.rows) {
    alike += &row != &plan.rows.front() && !row.has_no_traffic() && row.judgement() == plan.judgement() ? 1 : 0;
  }
  if (worst == nullptr) {
    return {"OK", "no client sends anything."};
  }
  if (plan.judgement() == study::Verdict::missed) {
    const bool at_rest = plan.rows.front().judgement() == study::Verdict::missed;
    headline.verdict = "FAILED";
    headline.reason =
        (at_rest ? std::string("an objective is missed even with nothing lost")
                 : fmt::format("{} of {} break{} an objective", alike, counted(failures, "failure", "failures"),
                               alike == 1 ? "s" : "")) +
        fmt::format(". Worst: {}, {}.", losing_text(scenario, plan, *worst), missed_text(scenario, *worst));
    if (plan.purchase) {
      headline.sentences.push_back("Enough: " + more_text(scenario, *plan.purchase) + ".");
    } else if (plan.fewest) {
      headline.sentences.push_back(fmt::format("{} are enough, but not beside the present ones: {}.",
                                               counted(plan.fewest->endpoints, "endpoint", "endpoints"),
                                               parts_text(scenario, plan.fewest->parts)));
    } else if (plan.too_dear) {
      headline.sentences.push_back(too_dear_text(scenario, plan));
    } else if (plan.utilisation_known && !plan.additions.empty()) {
      const std::string help = other_help_text(scenario, plan);
      headline.sentences.push_back(help.empty() ? "No number of endpoints that was tried is enough."
                                                : "More endpoints " + std::string(any_overload(plan) ? "alone " : "") +
                                                      "do not help. " + help);
    }
    return headline;
  }
  if (plan.judgement() == study::Verdict::undecided) {
    headline.verdict = "UNDECIDED";
    const bool unknown = !worst->unknown.empty();
    headline.reason = fmt::format(
        "no objective is missed, but {} {} undecided. First: {}, {}.", counted(alike, "failure", "failures"),
        alike == 1 ? "is" : "are", losing_text(scenario, plan, *worst),
        unknown ? unknown_text(plan, *worst) : std::string("the 95 % interval includes a limit"));
    return headline;
  }
  headline.verdict = "OK";
  headline.reason =
      (failures == 0 ? "every objective is met." : "every failure is survived.") + tightest_text(scenario, plan);
  add_growth(plan, headline.sentences);
  add_layouts(scenario, plan, headline.sentences);
  if (plan.next_step) {
    headline.sentences.push_back("Next useful step: " + step_text(scenario, plan, *plan.next_step) + ".");
  }
  return headline;
}

}  // namespace spillway::reports
