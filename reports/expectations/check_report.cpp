#include "reports/expectations/check_report.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "reports/expectations/expectations.hpp"
#include "reports/shares/places.hpp"
#include "reports/text/csv_text.hpp"
#include "reports/text/markdown_text.hpp"

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
  std::string text = fmt::format("{} of {} expectations hold", counted.hold, scenario.verdicts.size());
  return counted.not_tested == 0 ? text : text + fmt::format(", {} not tested", counted.not_tested);
}

std::string closing_line(const std::vector<CheckedScenario>& scenarios) {
  const auto good = std::count_if(scenarios.begin(), scenarios.end(), passed);
  return fmt::format("{} passed, {} failed\n", good, static_cast<std::ptrdiff_t>(scenarios.size()) - good);
}

std::string_view word_of(Outcome outcome) {
  return outcome == Outcome::holds ? "ok" : outcome == Outcome::fails ? "FAILED" : "not tested";
}

std::string painted(const std::string& word, bool good, const Look& look) {
  return look.color ? fmt::format("\x1b[{}m{}\x1b[0m", good ? 32 : 31, word) : word;
}

std::string check_table(const std::vector<CheckedScenario>& scenarios, const std::vector<scenario::Sources>& sources,
                        const Look& look) {
  int widest = 0;
  for (const CheckedScenario& scenario : scenarios) {
    widest = std::max(widest, display_width(printable(scenario.file)));
  }
  std::string text;
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    const bool good = passed(scenarios[i]);
    text += fmt::format("{}  {}   {}\n", painted(good ? "ok    " : "FAILED", good, look),
                        padded(printable(scenarios[i].file), widest, Align::left), outcome_text(scenarios[i]));
    for (const std::string& line : failure_lines(scenarios[i].verdicts, sources[i])) {
      text += "        " + line + '\n';
    }
  }
  return text + closing_line(scenarios);
}

const std::vector<std::string>& row_titles() {
  static const std::vector<std::string> titles{"outcome", "file", "scenario", "expectation", "message"};
  return titles;
}

// A row an expectation; a scenario that crashed has one of its own.
std::vector<std::vector<std::string>> rows_of(const std::vector<CheckedScenario>& scenarios,
                                              const std::vector<scenario::Sources>& sources) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    const CheckedScenario& scenario = scenarios[i];
    if (!scenario.crash.empty()) {
      rows.push_back({scenario.stopped ? "not run" : "CRASHED", scenario.file, scenario.name, "", scenario.crash});
    }
    for (const Verdict& verdict : scenario.verdicts) {
      std::vector<std::string> messages;
      for (const Failure& failure : verdict.failures) {
        messages.push_back(failure.message);
      }
      if (verdict.outcome == Outcome::not_tested) {
        messages.push_back(verdict.not_tested);
      }
      rows.push_back({std::string(word_of(verdict.outcome)), place_text(verdict.where, sources[i]), scenario.name,
                      verdict.title, joined(messages, "; ")});
    }
  }
  return rows;
}

std::string check_wide(const std::vector<CheckedScenario>& scenarios, const std::vector<scenario::Sources>& sources) {
  std::vector<TextTable::Column> columns;
  for (const std::string& title : row_titles()) {
    columns.push_back({title, Align::left, 2});
  }
  TextTable table(columns, 0);
  for (std::vector<std::string> row : rows_of(scenarios, sources)) {
    std::transform(row.begin(), row.end(), row.begin(), [](const std::string& cell) { return printable(cell); });
    table.add_row(std::move(row));
  }
  return table.text() + closing_line(scenarios);
}

std::string check_csv(const std::vector<CheckedScenario>& scenarios, const std::vector<scenario::Sources>& sources) {
  std::string text = csv_line(row_titles());
  for (const std::vector<std::string>& row : rows_of(scenarios, sources)) {
    text += csv_line(row);
  }
  return text;
}

std::string check_markdown(const std::vector<CheckedScenario>& scenarios,
                           const std::vector<scenario::Sources>& sources) {
  std::string text = markdown_row({"", "scenario", "file", "expectations"}) +
                     markdown_rule(std::vector<bool>{false, false, false, false});
  std::string failures;
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    const CheckedScenario& scenario = scenarios[i];
    text += markdown_row({passed(scenario) ? "ok" : "**FAILED**", markdown_escaped(scenario.name),
                          markdown_escaped(scenario.file), markdown_escaped(outcome_text(scenario))});
    for (const std::string& line : failure_lines(scenario.verdicts, sources[i])) {
      failures += "- " + markdown_escaped(line) + '\n';
    }
  }
  if (!failures.empty()) {
    text += '\n' + failures;
  }
  return text + '\n' + closing_line(scenarios);
}

}  // namespace

bool passed(const CheckedScenario& scenario) {
  return scenario.crash.empty() && tally(scenario.verdicts).hold == scenario.verdicts.size();
}

std::string format_check(const std::vector<CheckedScenario>& scenarios, const std::vector<scenario::Sources>& sources,
                         Format format, const Look& look) {
  switch (format) {
    case Format::table:
      return check_table(scenarios, sources, look);
    case Format::wide:
      return check_wide(scenarios, sources);
    case Format::markdown:
      return check_markdown(scenarios, sources);
    case Format::csv:
      return check_csv(scenarios, sources);
    case Format::json:
      return format_check_json(scenarios, sources);
  }
  return "";
}

}  // namespace spillway::reports
