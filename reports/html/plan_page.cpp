#include <fmt/format.h>

#include "reports/html/report.hpp"
#include "reports/html/run_data.hpp"
#include "reports/html/verdict_words.hpp"
#include "reports/plan/plan_headline.hpp"
#include "reports/plan/plan_json.hpp"
#include "reports/plan/plan_report.hpp"
#include "reports/plan/plan_words.hpp"
#include "reports/text/json_text.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/plan/plan.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::reports::html {
namespace {

bool undecided(const plan::Row& row) {
  return !row.has_no_traffic() && row.judgement() == study::Verdict::undecided;
}

std::string lost_text(const plan::Failure& failure) {
  return failure.ways > 1 ? fmt::format("{} (and {} alike)", failure.name, with_thousands(failure.ways - 1))
                          : failure.name;
}

HeadVerdict plan_verdict(const scenario::Scenario& scenario, const plan::Plan& plan) {
  const PlanHeadline headline = plan_headline(scenario, plan);
  HeadVerdict verdict;
  verdict = {plan.judgement() == study::Verdict::missed      ? Tone::bad
             : plan.judgement() == study::Verdict::undecided ? Tone::wary
                                                             : Tone::good,
             plan.judgement() == study::Verdict::missed      ? "Failed"
             : plan.judgement() == study::Verdict::undecided ? "Undecided"
                                                             : "OK",
             fmt::format("At {}: {}", rate_text(plan.rows.front().rate), headline.reason)};
  verdict.lines = headline.sentences;
  for (const Answer& answer : plan_answers(scenario, plan)) {
    if (answer.title != "spill") {
      for (const std::string& sentence : answer.sentences) {
        verdict.lines.push_back(answer.title + ": " + sentence);
      }
    }
  }
  return verdict;
}

Data words_of_rows(const scenario::Scenario& scenario, const plan::Plan& plan) {
  Data words = json_array(plan.rows, [&](const plan::Row& row) {
    return Data({{"lost", lost_text(row.failure)},
                 {"verdict", verdict_text(scenario, plan, row)},
                 {"undecided", undecided(row)},
                 {"headroom", row.tightest ? growth_text(row.tightest->growth()) : ""},
                 {"busiest", row.busiest ? endpoint_text(scenario, *row.busiest) : ""}});
  });
  return words;
}

// Returns each margin and estimate of a row as text with its unit, which the page does not know.
Data margins_of_rows(const plan::Plan& plan) {
  Data rows = Data::array();
  for (const plan::Row& row : plan.rows) {
    Data margins = json_array(row.margins, [&](const plan::Margin& margin) {
      return Data::array(
          {value_text(margin.bound.metric, margin.value), value_text(margin.bound.metric, margin.bound.limit)});
    });
    for (const plan::Estimate& estimate : row.estimates) {
      margins.push_back(
          Data::array({estimate_value_text(estimate), value_text(estimate.bound.metric, estimate.bound.limit)}));
    }
    rows.push_back(margins);
  }
  return rows;
}

Data answers_data(const scenario::Scenario& scenario, const plan::Plan& plan) {
  Data answers = json_array(plan_answers(scenario, plan), [&](const Answer& answer) {
    return Data({{"title", answer.title}, {"sentences", answer.sentences}});
  });
  return answers;
}

}  // namespace

std::string plan_page(const PlanInput& input, const Made& made) {
  const HeadVerdict verdict = plan_verdict(input.scenario, input.plan);
  Data data = scenario_data(input.scenario, input.sources, made);
  data.add("kind", "plan");
  data.add("verdict", verdict_data(verdict));
  data.add("summary", objective_texts(input.scenario, input.plan));
  data.add("assumed", {{"objectives", input.plan.assumed_objectives}, {"failures", input.plan.assumed_failures}});
  data.add("plan", Data::of_text(plan_json(input.scenario, input.plan)));
  data.add("words", words_of_rows(input.scenario, input.plan));
  data.add("values", margins_of_rows(input.plan));
  data.add("answers", answers_data(input.scenario, input.plan));
  return page_of({.title = input.scenario.name,
                  .headline = headline_of(verdict),
                  .text = format_plan(input.scenario, input.plan, Format::table, Look{}),
                  .data = std::move(data)},
                 made.version);
}

}  // namespace spillway::reports::html
