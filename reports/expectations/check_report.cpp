#include "reports/expectations/check_report.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "reports/document/document.hpp"
#include "reports/expectations/expectations.hpp"
#include "reports/shares/places.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::reports {
namespace {

std::string outcome_text(const CheckedScenario& scenario) {
  if (scenario.stopped) {
    return scenario.crash;
  }
  if (!scenario.crash.empty()) {
    return "crashed: " + scenario.crash;
  }
  if (scenario.verdicts.empty()) {
    return "nothing expected";
  }
  const Tally counted = tally(scenario.verdicts);
  return fmt::format("{} of {} expectations met{}{}{}", counted.hold, scenario.verdicts.size(), open_text(counted),
                     scenario.known_differences.empty() ? "" : "; ", scenario.known_differences);
}

std::string closing_line(const std::vector<CheckedScenario>& scenarios) {
  const auto good = std::count_if(scenarios.begin(), scenarios.end(), passed);
  const auto open = std::count_if(scenarios.begin(), scenarios.end(), is_open);
  return fmt::format("{} passed, {} failed{}", good, static_cast<std::ptrdiff_t>(scenarios.size()) - good - open,
                     open > 0 ? fmt::format(", {} undecided", open) : "");
}

std::string_view word_of(study::Verdict outcome) {
  switch (outcome) {
    case study::Verdict::met:
      return "ok";
    case study::Verdict::missed:
      return "FAILED";
    case study::Verdict::unknown:
      return "not tested";
    case study::Verdict::undecided:
      return "undecided";
  }
  return "";
}

// Adds one row per scenario, with its failures below it.
void add_check(Page& page, const std::vector<CheckedScenario>& scenarios, const std::vector<Sources>& sources) {
  Sheet sheet{.fields = {{.name = "", .verdict = true, .least = 6}, {.name = "file", .gap = 2}, {"expectations"}},
              .indent = 0,
              .has_titles = false};
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    const char* const word = passed(scenarios[i]) ? "ok" : is_open(scenarios[i]) ? "UNDECIDED" : "FAILED";
    sheet.rows.push_back({word, scenarios[i].file, outcome_text(scenarios[i])});
    sheet.below.push_back(failure_lines(scenarios[i].verdicts, sources[i]));
  }
  page.on(Medium::terminal).sheet(sheet);
  sheet.fields.insert(sheet.fields.begin() + 1, {"scenario"});
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    sheet.rows[i].insert(sheet.rows[i].begin() + 1, scenarios[i].name);
  }
  page.on(Medium::markup).sheet(sheet);
  page.attached().paragraph({closing_line(scenarios)});
}

// Returns one row per expectation; a crashed scenario has one row.
Sheet expectation_records(const std::vector<CheckedScenario>& scenarios, const std::vector<Sources>& sources) {
  Sheet sheet{.fields = {{"outcome"}, {"file"}, {"scenario"}, {"expectation"}, {"message"}}, .empty = ""};
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    const CheckedScenario& scenario = scenarios[i];
    if (!scenario.crash.empty()) {
      sheet.rows.push_back(
          {scenario.stopped ? "not run" : "CRASHED", scenario.file, scenario.name, "", scenario.crash});
    }
    for (const Verdict& verdict : scenario.verdicts) {
      std::vector<std::string> messages;
      for (const Failure& failure : verdict.failures) {
        messages.push_back(failure.message);
      }
      if (verdict.is_open()) {
        messages.push_back(verdict.why_open);
      }
      sheet.rows.push_back({std::string(word_of(verdict.outcome)), place_text(verdict.where, sources[i]), scenario.name,
                            verdict.title, joined(messages, "; ")});
    }
  }
  return sheet;
}

}  // namespace

bool passed(const CheckedScenario& scenario) {
  return scenario.crash.empty() && tally(scenario.verdicts).hold == scenario.verdicts.size();
}

bool is_open(const CheckedScenario& scenario) {
  return scenario.crash.empty() && !passed(scenario) && tally(scenario.verdicts).fail == 0;
}

std::string format_check(const std::vector<CheckedScenario>& scenarios, const std::vector<Sources>& sources,
                         Format format, const Look& look) {
  return reports::format({.page = [&](Page& page) { add_check(page, scenarios, sources); },
                          .records = [&] { return expectation_records(scenarios, sources); },
                          .wide =
                              [&](Page& page) {
                                page.records(expectation_records(scenarios, sources));
                                page.attached().paragraph({closing_line(scenarios)});
                              },
                          .json = [&](const Sink& sink) { sink(format_check_json(scenarios, sources)); }},
                         format, look);
}

}  // namespace spillway::reports
