// Answers of a plan: how much traffic can grow, what to add, and which clients' requests fail.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "models/config/seconds.hpp"
#include "reports/plan/failure_texts.hpp"
#include "reports/plan/plan_headline.hpp"
#include "reports/plan/plan_help.hpp"
#include "reports/plan/plan_words.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/plan/plan.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::reports {
namespace {

// Gains of headroom that differ by at most this are equal.
constexpr double same_gain = 1e-9;

constexpr const char* capacity_unknown =
    "unknown: no endpoint has a capacity (`capacity`, or `cores` and `service_time`; `--capacity SERVICE=RATE` for "
    "documents)";

// Describes the first of the worst rows, with its verdict.
std::string worst_text(const scenario::Scenario& scenario, const plan::Plan& plan) {
  for (std::size_t row = 0; row < plan.rows.size(); ++row) {
    if (!plan.rows[row].has_no_traffic() && plan.rows[row].judgement() == plan.judgement()) {
      return losing(plan, row) + ", verdict " + verdict_text(scenario, plan, plan.rows[row]);
    }
  }
  return "no client sends anything";
}

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
    const std::string at = headroom.lowest_tried
                               ? fmt::format(", at {} too", rate_text(plan.rows.front().rate * *headroom.lowest_tried))
                               : "";
    const std::string what = margin.judgement() == study::Verdict::missed ? missed_margin_text(scenario, margin)
                                                                          : margin_text(scenario, margin);
    return fmt::format("{}, {}{}", losing(plan, headroom.row), what, at);
  }
  if (ends_by_shares_of_queues(plan, headroom)) {
    const std::string at = rate_text(plan.rows.front().rate * headroom.fails.value_or(headroom.growth));
    return margin.endpoint
               ? fmt::format("at {}, {}, {} is at {} and its queue grows without end", at, losing(plan, headroom.row),
                             endpoint_text(scenario, *margin.endpoint),
                             value_text(margin.bound.metric, margin.bound.limit))
               : fmt::format("at {}, {}, all connections to {} are in use and ever more requests wait for one", at,
                             losing(plan, headroom.row), service_text(scenario, margin.bound.service));
  }
  if (margin.bound.below) {
    return fmt::format("above it, {}, {} is not shown to be below {}", losing(plan, headroom.row),
                       margin.endpoint ? endpoint_text(scenario, *margin.endpoint)
                                       : fmt::format("{} of {}", name_of(margin.bound.metric),
                                                     service_text(scenario, margin.bound.service)),
                       value_text(margin.bound.metric, margin.bound.limit));
  }
  if (margin.bound.metric == plan::Metric::utilisation && margin.endpoint) {
    return fmt::format("at that rate, {}, {} is at {}", losing(plan, headroom.row),
                       endpoint_text(scenario, *margin.endpoint), value_text(margin.bound.metric, margin.bound.limit));
  }
  return fmt::format("at that rate, {}, {} of {} is {}", losing(plan, headroom.row), name_of(margin.bound.metric),
                     service_text(scenario, margin.bound.service), value_text(margin.bound.metric, margin.bound.limit));
}

std::string headroom_text(const scenario::Scenario& scenario, const plan::Plan& plan) {
  const plan::Headroom& headroom = plan.headroom;
  const double rate = plan.rows.front().rate;
  if (!plan.utilisation_known && headroom.growth > 0.0) {
    return capacity_unknown;
  }
  if (!std::isfinite(headroom.growth)) {
    return plan.measured ? "see `measured`: no computed objective depends on the rate of requests"
           : plan.judgement() == study::Verdict::met ? "not limited: no objective depends on the rate of requests"
                                                     : "none: " + worst_text(scenario, plan);
  }
  if (plan.measured_ends_first) {
    return measured_headroom_text(plan);
  }
  if (headroom.growth == 0.0) {
    const bool open = headroom.margin && headroom.margin->judgement() == study::Verdict::undecided;
    return (open             ? "undecided at any rate: "
            : headroom.fails ? "no rate that was tried meets the objectives: "
                             : "none at any rate: ") +
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
    texts.push_back(
        fmt::format("confirmed by {} more runs of {} with new seeds; a failure in fewer than {:.0f} % of runs could "
                    "have been missed",
                    measured.proofs, duration_text(config::seconds(scenario.duration)), unseen * 100.0));
  }
  if (measured.holds > 0.0 && measured.longest) {
    texts.push_back(fmt::format("confirmed by {} more of {} too, since queues have not settled after {} there",
                                measured.longest->replications, duration_text(measured.longest->seconds),
                                duration_text(config::seconds(scenario.duration))));
  }
  if (measured.estimate) {
    texts.push_back(fmt::format("limited {} at {}: {}", losing(plan, measured.row),
                                rate_text(rate * measured.estimated_at), estimate_text(scenario, *measured.estimate)));
  }
  return texts;
}

// True if the fewest endpoints are shown to be the cheapest, too, although prices differ.
bool is_cheapest(const plan::Plan& plan) {
  const auto& parts = plan.fewest->parts;
  return plan.cheapest && plan.cheapest->proved && plan.cheapest->price && plan.fewest->price &&
         std::abs(*plan.cheapest->price - *plan.fewest->price) <= same_gain * *plan.fewest->price &&
         std::any_of(parts.begin(), parts.end(),
                     [&](const plan::Part& part) { return part.group.price != parts.front().group.price; });
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
           : plan.too_dear        ? too_dear_text(scenario, plan)
           : !other_help_text(scenario, plan).empty()
               ? "none found: adding endpoints does not fix it. " + other_help_text(scenario, plan)
           : plan.fewest_bounded ? "not found: the search reached its limit"
                                 : "none found: no number that was tried is enough";
  }
  const plan::Fewest& fewest = *plan.fewest;
  std::vector<std::string> parts;
  for (const plan::Part& part : fewest.parts) {
    parts.push_back(fmt::format("{} {}", place_text(scenario, part.group, fewest.parts), part.count));
  }
  std::string proof =
      fewest.proved
          ? ""
          : fmt::format(" (fewest that were found; at least {} are needed; {})", fewest.at_least,
                        plan.fewest_bounded ? "the search reached its limit" : "not every number in between was tried");
  if (fewest.measured) {
    const char* const word = *fewest.measured == study::Verdict::met      ? "confirmed by simulation"
                             : *fewest.measured == study::Verdict::missed ? "not enough"
                                                                          : "undecided";
    proof = fmt::format(
        " ({}{}{})", fewest.raised > 0 ? fmt::format("{} of them for measured objectives, ", fewest.raised) : "",
        fewest.lacks_requests ? "which too few requests were simulated to prove: more replications or a "
                                "longer duration are needed, not more endpoints"
                              : word,
        fewest.proved ? "" : "; a smaller number may exist");
  }
  if (fewest.fails_at) {
    proof += fmt::format("; too few at {}, when others send most: `--at {}`",
                         duration_text(config::seconds(*fewest.fails_at)), plain_seconds(*fewest.fails_at));
  }
  const std::string price =
      fewest.price && *fewest.price > 0.0
          ? fmt::format(", {} an hour{}", money_text(*fewest.price), is_cheapest(plan) ? ", also the cheapest" : "")
          : "";
  return fmt::format("{} instead of {}: {}{}{}", fewest.endpoints, fewest.now, joined(parts, ", "), price, proof);
}

// Describes the cheapest layout; empty if it is the one with the fewest endpoints, or if prices are unknown.
std::string cheapest_text(const scenario::Scenario& scenario, const plan::Plan& plan) {
  if (!plan.cheapest || !plan.fewest || !plan.cheapest->price || !plan.fewest->price ||
      *plan.cheapest->price >= *plan.fewest->price * (1.0 - same_gain)) {
    return "";
  }
  return fmt::format("{} an hour with {} endpoints: {}{}", money_text(*plan.cheapest->price), plan.cheapest->endpoints,
                     parts_text(scenario, plan.cheapest->parts),
                     plan.cheapest->proved ? "" : " (the cheapest that was found)");
}

std::string next_step_text(const scenario::Scenario& scenario, const plan::Plan& plan) {
  if (!plan.utilisation_known) {
    return capacity_unknown;
  }
  if (plan.next_step) {
    return step_text(scenario, plan, *plan.next_step) + (plan.next_step->measured ? ", when simulated" : "");
  }
  switch (plan.no_step) {
    case plan::NoStep::not_limited:
      return "the headroom is not limited";
    case plan::NoStep::no_group:
      return "no group of endpoints has a count that may change";
    case plan::NoStep::not_by_endpoints: {
      const std::string help = other_help_text(scenario, plan);
      return "no set of endpoints that was tried adds headroom" + (plan.too_dear  ? " at these costs"
                                                                   : help.empty() ? ""
                                                                                  : ". " + help);
    }
    case plan::NoStep::unknown:
      break;
  }
  return "unknown: too many requests would have to be simulated";
}

// Returns one text per growth: "x1.2, 3,240 rps: fails (losing zone-2, backend-1 (zone-1) 90 %); 2 more endpoints:
// ...".
std::vector<std::string> growth_texts(const scenario::Scenario& scenario, const plan::Plan& plan) {
  std::vector<std::string> texts;
  for (const plan::GrowthRow& row : plan.growths) {
    std::string text = fmt::format("x{}, {}: ", row.growth, rate_text(row.rate));
    if (row.judgement == study::Verdict::met) {
      texts.push_back(text + "OK");
      continue;
    }
    text += fmt::format(
        "{} (losing {}{}{})", row.judgement == study::Verdict::missed ? "fails" : "undecided", printable(row.failure),
        row.utilisation ? fmt::format(", {} at {}", printable(row.busiest), exact_percent(*row.utilisation)) : "",
        row.failed > 0.0 ? fmt::format(", {} of the requests fail", exact_percent(row.failed)) : "");
    texts.push_back(text + (row.purchase ? "; " + more_text(scenario, *row.purchase)
                                         : "; no number of endpoints that "
                                           "was tried is enough"));
  }
  return texts;
}

}  // namespace

std::vector<Answer> plan_answers(const scenario::Scenario& scenario, const plan::Plan& plan) {
  std::vector<Answer> answers = {{"headroom", {headroom_text(scenario, plan)}}};
  if (plan.services.size() > 1) {
    for (const plan::ServiceHeadroom& of : plan.services) {
      const std::string name = service_text(scenario, of.service);
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
  if (const std::string cheapest = cheapest_text(scenario, plan); !cheapest.empty()) {
    answers.push_back({"cheapest layout", {cheapest}});
  }
  answers.push_back({"next useful step", {next_step_text(scenario, plan)}});
  const auto add = [&](const char* title, std::vector<std::string> sentences) {
    if (!sentences.empty()) {
      answers.push_back({title, std::move(sentences)});
    }
  };
  add("growth", growth_texts(scenario, plan));
  add("after the failure", recovery_texts(scenario, plan));
  add("spill", onset_texts(scenario, plan));
  return answers;
}

}  // namespace spillway::reports
