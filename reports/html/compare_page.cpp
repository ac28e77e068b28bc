#include <algorithm>
#include <fmt/format.h>

#include "reports/compare/compare_report.hpp"
#include "reports/html/report.hpp"
#include "reports/html/run_data.hpp"
#include "reports/html/verdict_words.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/compare/comparison.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::reports::html {
namespace {

HeadVerdict compare_verdict(const compare::Comparison& comparison) {
  const bool judged = std::any_of(comparison.clusters.begin(), comparison.clusters.end(), [](const auto& cluster) {
    return cluster.verdict == study::Verdict::met || cluster.verdict == study::Verdict::missed;
  });
  HeadVerdict verdict;
  verdict.tone = !comparison.agrees() ? Tone::bad : judged ? Tone::good : Tone::wary;
  verdict.word = !comparison.agrees() ? "Does not fit" : judged ? "Fits" : "Nothing compared";
  verdict.sentence = comparison_headline(comparison) + ".";
  for (const std::string& name : comparison.unknown) {
    verdict.lines.push_back("Not in the configuration: cluster " + printable(name) + ".");
  }
  for (const std::string& note : comparison.notes) {
    verdict.lines.push_back(printable(note) + ".");
  }
  verdict.lines.push_back(fmt::format("{} {} by accident in 1 of {} comparisons.", comparison.tests,
                                      comparison.tests == 1 ? "test; it fails" : "tests; together they fail",
                                      with_thousands(static_cast<std::uint64_t>(1.0 / compare::false_alarm))));
  return verdict;
}

}  // namespace

std::string compare_page(const CompareInput& input, const Made& made) {
  const HeadVerdict verdict = compare_verdict(input.comparison);
  const std::string title = printable(input.title);
  Data data = scenario_data(scenario::Scenario{}, {}, made, {.title = title});
  data.add("kind", "compare");
  data.add("verdict", verdict_data(verdict));
  data.add("compare", Data::of_text(comparison_json(input.comparison)));
  return page_of({.title = title,
                  .headline = headline_of(verdict),
                  .text = format_comparison(input.comparison, Format::table, Look{}),
                  .data = std::move(data)},
                 made.version);
}

}  // namespace spillway::reports::html
