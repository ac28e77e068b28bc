#include "reports/expectations/expectations.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <variant>

#include "reports/expectations/judge.hpp"
#include "reports/expectations/what_is_wanted.hpp"
#include "reports/shares/places.hpp"
#include "reports/text/percent.hpp"
#include "sim/run/results.hpp"
#include "sim/scenario/expectation.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::reports {

void fail(Verdict& verdict, Failure failure) {
  verdict.outcome = study::Verdict::missed;
  verdict.failures.push_back(std::move(failure));
}

void leave_open(Verdict& verdict, std::string why) {
  if (verdict.outcome != study::Verdict::missed) {
    verdict.outcome = study::Verdict::unknown;
    verdict.why_open = std::move(why);
  }
}

bool prints_as(double measured, const scenario::Figure& figure) {
  return round_half_up(measured, figure.decimals) == round_half_up(figure.number, figure.decimals);
}

double nearest_printing_as(double share, const scenario::Figure& figure) {
  const Wanted wanted = wanted_by(scenario::Comparison::equals, figure);
  return std::clamp(std::clamp(share, wanted.low, wanted.high), 0.0, 1.0);
}

std::vector<Category> part_and_rest(std::uint64_t part, std::uint64_t all, double share) {
  return {{part, share}, {all - std::min(part, all), 1.0 - share}};
}

Verdicts evaluate(const scenario::Scenario& scenario, const run::Results& results) {
  Verdicts verdicts;
  FitTests fit_tests;
  Court court{scenario, results, verdicts, fit_tests};
  for (const scenario::Expectation& expectation : scenario.expectations) {
    if (const auto* table = std::get_if<scenario::ExpectedTable>(&expectation)) {
      judge_table(*table, court);
    }
    if (const auto* outcome = std::get_if<scenario::OutcomeAssertion>(&expectation)) {
      judge_outcome(*outcome, court);
    }
    if (const auto* share = std::get_if<scenario::ShareAssertion>(&expectation)) {
      judge_share(*share, court);
    }
    if (const auto* utilisation = std::get_if<scenario::UtilisationAssertion>(&expectation)) {
      judge_utilisation(*utilisation, court);
    }
  }
  fit_tests.judge(verdicts);
  return verdicts;
}

Tally tally(const Verdicts& verdicts) {
  Tally tally;
  for (const Verdict& verdict : verdicts) {
    tally.hold += verdict.outcome == study::Verdict::met ? 1 : 0;
    tally.fail += verdict.outcome == study::Verdict::missed ? 1 : 0;
    tally.not_tested += verdict.outcome == study::Verdict::unknown ? 1 : 0;
    tally.undecided += verdict.outcome == study::Verdict::undecided ? 1 : 0;
  }
  return tally;
}

std::string tally_text(const Verdicts& verdicts) {
  if (verdicts.empty()) {
    return "";
  }
  const Tally counted = tally(verdicts);
  return fmt::format("expectations: {} of {} met{}", counted.hold, verdicts.size(), open_text(counted));
}

std::string open_text(const Tally& tally) {
  std::string text;
  if (tally.not_tested > 0) {
    text += fmt::format(", {} not tested", tally.not_tested);
  }
  if (tally.undecided > 0) {
    text += fmt::format(", {} undecided", tally.undecided);
  }
  return text;
}

std::vector<std::string> failure_lines(const Verdicts& verdicts, const Sources& sources) {
  std::vector<std::string> lines;
  for (const Verdict& verdict : verdicts) {
    for (const Failure& failure : verdict.failures) {
      lines.push_back(fmt::format("{}: {}", place_text(failure.where, sources), failure.message));
    }
    if (verdict.is_open()) {
      lines.push_back(fmt::format("{}: {}", place_text(verdict.where, sources), verdict.open_sentence()));
    }
  }
  return lines;
}

}  // namespace spillway::reports
