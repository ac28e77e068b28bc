// Answers of a plan: how much traffic can grow, what to add, and which clients' requests fail.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/config/seconds.hpp"
#include "reports/plan/plan_words.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/plan/plan.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::reports {
namespace {

// Gains of headroom that differ by at most this are equal.
constexpr double same_gain = 1e-9;

constexpr const char* capacity_unknown =
    "unknown: no endpoint has a capacity (`capacity`, or `cores` and `service_time`)";

std::string losing(const plan::Plan& plan, std::size_t row) {
  return row == 0 ? "with everything up" : "losing " + printable(plan.rows[row].failure.name);
}

// Describes the first of the worst rows, with its verdict.
std::string worst_text(const scenario::Scenario& scenario, const plan::Plan& plan) {
  for (std::size_t row = 0; row < plan.rows.size(); ++row) {
    if (!plan.rows[row].has_no_traffic() && plan.rows[row].judgement() == plan.judgement()) {
      return losing(plan, row) + ", verdict " + verdict_text(scenario, plan, plan.rows[row]);
    }
  }
  return "no client sends anything";
}

constexpr double resolution_of_search = 1.02 + 1e-9;

// Describes the measured headroom. Higher rates fail, or are not shown to pass.
std::string measured_headroom_text(const plan::Plan& plan) {
  const plan::Headroom& headroom = plan.headroom;
  const double rate = plan.rows.front().rate;
  if (headroom.growth == 0.0) {
    return plan.measured && !plan.measured->fails ? "not proven at any rate that was simulated: see `measured`"
                                                  : "no rate that was simulated meets the objectives: see `measured`";
  }
  const std::string held = fmt::format("{} ({})", rate_text(rate * headroom.growth), growth_text(headroom.growth));
  return headroom.fails && *headroom.fails <= headroom.growth * resolution_of_search
             ? fmt::format("{}: at {} an objective that is measured is missed, {}", held,
                           rate_text(rate * *headroom.fails), losing(plan, headroom.row))
             : fmt::format("{}: the objectives are not shown to be met above, {}: see `measured`", held,
                           losing(plan, headroom.row));
}

// True if an unbounded queue limits the headroom, at a rate that follows from shares.
bool ends_by_shares_of_queues(const plan::Plan& plan, const plan::Headroom& headroom) {
  return headroom.margin && headroom.margin->bound.below && headroom.fails && plan.rows[headroom.row].exact;
}

// Describes the state in which the limit is reached: "at that rate losing zone-2 endpoints puts backend-1 (zone-1) at
// 80 %".
std::string binding_text(const scenario::Scenario& scenario, const plan::Plan& plan, const plan::Headroom& headroom) {
  const plan::Margin& margin = *headroom.margin;
  if (headroom.growth == 0.0) {
    // With counted requests, only the rates tried are known.
    const std::string at =
        headroom.lowest_tried ? rate_text(plan.rows.front().rate * *headroom.lowest_tried) + " too" : "any rate";
    return fmt::format("{}, {}, at {}", losing(plan, headroom.row), margin_text(scenario, margin), at);
  }
  if (ends_by_shares_of_queues(plan, headroom)) {
    return fmt::format("at {}, {}, {} is at {} and its queue grows without end",
                       rate_text(plan.rows.front().rate * headroom.fails.value_or(headroom.growth)),
                       losing(plan, headroom.row), endpoint_text(scenario, *margin.endpoint),
                       value_text(margin.bound.metric, margin.bound.limit));
  }
  if (margin.bound.below) {
    return fmt::format("above it, {}, {} is not shown to be below {}", losing(plan, headroom.row),
                       endpoint_text(scenario, *margin.endpoint), value_text(margin.bound.metric, margin.bound.limit));
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
    return capacity_unknown;
  }
  if (!std::isfinite(headroom.growth)) {
    return plan.measured ? "see `measured`: no computed objective depends on the rate of requests"
           : plan.judgement() == plan::Judgement::holds ? "not limited: no objective depends on the rate of requests"
                                                        : "none: " + worst_text(scenario, plan);
  }
  if (plan.measured_ends_first) {
    return measured_headroom_text(plan);
  }
  if (headroom.growth == 0.0) {
    const bool open = headroom.margin && headroom.margin->judgement() == plan::Judgement::open;
    return (open             ? "undecided at any rate: "
            : headroom.fails ? "no rate that was tried meets the objectives: "
                             : "no rate meets the objectives: ") +
           (headroom.margin ? binding_text(scenario, plan, headroom) : worst_text(scenario, plan));
  }
  std::string text = fmt::format("{} ({}): {}", rate_text(rate * headroom.growth), growth_text(headroom.growth),
                                 headroom.margin ? binding_text(scenario, plan, headroom) : worst_text(scenario, plan));
  if (headroom.fails && !ends_by_shares_of_queues(plan, headroom)) {
    text += fmt::format("; {} fails", rate_text(rate * *headroom.fails));
    if (*headroom.fails > headroom.growth * resolution_of_search) {
      text +=
          ", and between them the confidence interval includes the limit: more replications or a longer duration "
          "narrow it";
    }
  }
  return text;
}

// Describes measurements without extrapolation.
std::vector<std::string> measured_texts(const scenario::Scenario& scenario, const plan::Plan& plan) {
  const plan::MeasuredHeadroom& measured = *plan.measured;
  const double rate = plan.rows.front().rate;
  std::string held = measured.holds == 0.0 ? "no simulated rate met every objective"
                                           : fmt::format("{} ({}) met every {} when simulated",
                                                         rate_text(rate * measured.holds), growth_text(measured.holds),
                                                         plan.utilisation_known ? "objective" : "known objective");
  if (measured.fails) {
    held += fmt::format(", {} ({}) failed one", rate_text(rate * *measured.fails), growth_text(*measured.fails));
  }
  held += fmt::format("; {} replications", measured.replications);
  if (measured.holds > 0.0 && measured.fails && *measured.fails > measured.holds * resolution_of_search) {
    held +=
        "; between the two the confidence interval includes the limit: more replications or a longer duration narrow "
        "it";
  }
  std::vector<std::string> texts = {held};
  if (measured.holds > 0.0 && measured.proofs > 0) {
    // A failure of this frequency is missed in all replications with a probability of 5 %.
    const double unseen = 1.0 - std::pow(0.05, 1.0 / measured.proofs);
    texts.push_back(fmt::format(
        "proven by {} further replications of {} with other draws; what goes wrong in fewer than {:.0f} % of "
        "such runs can have stayed unseen",
        measured.proofs, duration_text(config::seconds(scenario.duration)), unseen * 100.0));
  }
  if (measured.holds > 0.0 && measured.longest) {
    texts.push_back(fmt::format("proven by {} more of {} too, since queues have not settled after {} there",
                                measured.longest->replications, duration_text(measured.longest->seconds),
                                duration_text(config::seconds(scenario.duration))));
  }
  if (measured.estimate) {
    texts.push_back(fmt::format("limited {} at {}: {}", losing(plan, measured.row),
                                rate_text(rate * measured.estimated_at), estimate_text(scenario, *measured.estimate)));
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
    return capacity_unknown;
  }
  if (plan.fewest_needs_at_least) {
    return fmt::format("not searched: the load needs at least {} endpoints even while nothing is lost",
                       with_thousands(*plan.fewest_needs_at_least));
  }
  if (!plan.fewest) {
    return plan.additions.empty() ? "no group of endpoints has a count that may change"
           : plan.fewest_bounded  ? "not found: the search reached its limit"
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
  std::string proof =
      fewest.proved
          ? ""
          : fmt::format(" (fewest that were found; at least {} are needed; {})", fewest.at_least,
                        plan.fewest_bounded ? "the search reached its limit" : "not every number in between was tried");
  if (fewest.measured) {
    constexpr const char* words[] = {"OK when simulated", "undecided", "not enough"};
    proof =
        fmt::format(" ({} of them for measured objectives, {}; not every smaller number was tried)", fewest.raised,
                    fewest.lacks_requests ? "which too few requests were simulated to prove: more replications or a "
                                            "longer duration are needed, not more endpoints"
                                          : words[static_cast<std::size_t>(*fewest.measured)]);
  }
  if (fewest.fails_at) {
    proof += fmt::format("; too few at {}, when others send most: `--at {}`",
                         duration_text(config::seconds(*fewest.fails_at)), plain_seconds(*fewest.fails_at));
  }
  return fmt::format("{} instead of {}: {}{}", fewest.endpoints, fewest.now, joined(parts, ", "), proof);
}

std::vector<std::string> addition_texts(const scenario::Scenario& scenario, const plan::Plan& plan) {
  const plan::Addition* most = nullptr;
  const plan::Addition* cheapest = nullptr;
  const double rate = plan.rows.front().rate;
  if (!plan.utilisation_known) {
    return {capacity_unknown};
  }
  if (plan.additions.empty()) {
    return {"no group of endpoints has a count that may change"};
  }
  const bool by_queues = plan.headroom.margin && plan.headroom.margin->bound.below;
  if (plan.measured_ends_first || (plan.measured && (by_queues || !std::isfinite(plan.headroom.growth)))) {
    return {"unknown: an objective that is measured ends the headroom, and one more endpoint was not simulated"};
  }
  const auto gain = [&](const plan::Addition& addition) { return gain_of(plan, addition).value_or(0.0); };
  const auto per_price = [&](const plan::Addition& addition) {
    return *addition.group.price > 0.0 ? gain(addition) / *addition.group.price : gain(addition) * 1e12;
  };
  for (const plan::Addition& addition : plan.additions) {
    if (!std::isfinite(addition.headroom.growth) || gain(addition) <= rate * same_gain) {
      continue;
    }
    if (most == nullptr || gain(addition) > gain(*most) * (1.0 + same_gain)) {
      most = &addition;
    }
    if (addition.group.price &&
        (cheapest == nullptr || per_price(addition) > per_price(*cheapest) * (1.0 + same_gain))) {
      cheapest = &addition;
    }
  }
  if (most == nullptr && !std::isfinite(plan.headroom.growth) && plan.holds()) {
    return {"the headroom is not limited"};
  }
  const bool known = std::all_of(plan.additions.begin(), plan.additions.end(),
                                 [&](const plan::Addition& addition) { return gain_of(plan, addition).has_value(); });
  if (most == nullptr) {
    return {known ? "one more endpoint adds no headroom in any group"
                  : "unknown: what ends the headroom was not simulated with one more endpoint"};
  }
  std::vector<std::string> texts = {
      fmt::format("{} adds the most headroom: +{}", group_text(scenario, plan, most->group), rate_text(gain(*most)))};
  if (cheapest != nullptr) {
    texts.push_back(fmt::format("{} is cheapest: {} an hour for +{}", group_text(scenario, plan, cheapest->group),
                                money_text(*cheapest->group.price), rate_text(gain(*cheapest))));
  }
  return texts;
}

// Returns the limit of the service's circuit breaker, " (max_requests 64)"; empty if the scenario sets several.
std::string breaker_text(const scenario::Scenario& scenario, config::ServiceIndex service) {
  std::set<std::uint32_t> written;
  for (std::uint32_t index = 0; index < scenario.services.size(); ++index) {
    if (scenario::asked_for(scenario, {index}) == service) {
      for (const auto& of : scenario.services[index].cluster.circuit_breakers.thresholds) {
        written.insert(of.max_requests.value_or(0));
      }
    }
  }
  if (written.empty()) {
    return " (Envoy's default: 1,024 requests of one proxy)";
  }
  return written.size() == 1 && *written.begin() > 0
             ? fmt::format(" (max_requests {})", with_thousands(*written.begin()))
             : "";
}

// Returns "they time out (12 %), then a circuit breaker overflows (3 %)"; a single cause has no share.
std::string causes_text(const scenario::Scenario& scenario, const plan::FailedRequests& failing) {
  std::vector<std::string> parts;
  for (const plan::CausePart& part : failing.causes) {
    parts.push_back(cause_text(part.cause) +
                    (part.cause == plan::Cause::overflow ? breaker_text(scenario, failing.service) : "") +
                    (failing.causes.size() > 1 ? fmt::format(" ({})", exact_percent(part.share)) : ""));
  }
  return joined(parts, ", then ");
}

// Lists every client with failing requests, with the first failure; if there are many, only the first ones.
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
                                  printable(scenario.services[failing.service.value].name),
                                  causes_text(scenario, failing)));
    }
  }
  if (left_out > 0) {
    texts.push_back(fmt::format("and {} more (-o json lists all)", with_thousands(left_out)));
  }
  return texts;
}

std::string onset_text(const scenario::Scenario& scenario, const plan::Onset& onset) {
  const auto number = [&](const std::optional<std::uint32_t>& lost, const std::optional<config::EndpointIndex>& kind) {
    return (lost ? fmt::format("from {} of {} lost", *lost, onset.endpoints) : std::string("never")) +
           (kind ? fmt::format(" ({}{})", printable(scenario.endpoints[kind->value].id),
                               *lost > 1 ? " and others like it" : "")
                 : "");
  };
  const std::string leaves_from = number(onset.leaves_zone_at, onset.leaves_zone_by);
  const std::string service = printable(scenario.services[onset.service.value].name);
  constexpr double shown = 0.00005;  // shown as 0 %
  const std::string leaves = onset.cross_zone < shown  ? "leaves the zone " + leaves_from
                             : onset.cross_zone >= 1.0 ? std::string("all of it leaves the zone already")
                                                       : fmt::format("{} leaves the zone already, more {}",
                                                                     exact_percent(onset.cross_zone), leaves_from);
  return fmt::format("{} for {}: {}, panic {}", printable(scenario.zones[onset.zone.value].name), service, leaves,
                     number(onset.panic_at, onset.panic_by));
}

}  // namespace

std::vector<Answer> plan_answers(const scenario::Scenario& scenario, const plan::Plan& plan) {
  std::vector<Answer> answers = {{"headroom", {headroom_text(scenario, plan)}}};
  if (plan.services.size() > 1) {
    for (const plan::ServiceHeadroom& of : plan.services) {
      const std::string name = printable(scenario.services[of.service.value].name);
      // Measured objectives are not simulated for each service separately.
      const std::vector<plan::Estimate>& estimates = plan.rows.front().estimates;
      const bool measured = std::any_of(estimates.begin(), estimates.end(), [&](const plan::Estimate& estimate) {
        return estimate.bound.service == of.service;
      });
      answers.front().sentences.push_back(
          std::isfinite(of.growth)
              ? fmt::format("{} alone: {}{} ({}), {}", name, measured ? "at most " : "", rate_text(of.rate * of.growth),
                            growth_text(of.growth), losing(plan, of.row))
          : measured ? fmt::format("{} alone: unknown, its objectives are measured together with the others", name)
                     : fmt::format("{} alone: no objective depends on its rate", name));
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
