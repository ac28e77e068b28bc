#include "reports/shares/closing_lines.hpp"

#include <fmt/format.h>

#include "reports/expectations/expectations.hpp"
#include "reports/requests/summary.hpp"
#include "reports/text/markdown_text.hpp"

namespace spillway::reports {
namespace {

std::string colored(std::string line, bool good, const Look& look) {
  return look.color ? fmt::format("\x1b[{}m{}\x1b[0m", good ? 32 : 31, line) : line;
}

}  // namespace

std::string closing_lines(const Report& report, const Look& look) {
  std::string text;
  for (const std::string& line : summary_lines(report.scenario, report.results)) {
    text += line + '\n';
  }
  for (const std::string& warning : report.warnings) {
    text += printable(warning) + '\n';
  }
  if (!report.verdicts.empty()) {
    const bool all_hold = tally(report.verdicts).hold == report.verdicts.size();
    text += colored(tally_text(report.verdicts), all_hold, look) + '\n';
    for (const std::string& failure : report.failures) {
      text += "  " + failure + '\n';
    }
  }
  return text.empty() ? text : '\n' + text;
}

std::string closing_list(const Report& report) {
  std::vector<std::string> lines = summary_lines(report.scenario, report.results);
  lines.insert(lines.end(), report.warnings.begin(), report.warnings.end());
  if (!report.verdicts.empty()) {
    lines.push_back(tally_text(report.verdicts));
  }
  lines.insert(lines.end(), report.failures.begin(), report.failures.end());
  std::string text = lines.empty() ? "" : "\n";
  for (const std::string& line : lines) {
    text += fmt::format("- {}\n", markdown_escaped(line));
  }
  return text;
}

}  // namespace spillway::reports
