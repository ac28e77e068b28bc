#include "reports/shares/closing_lines.hpp"

#include <fmt/format.h>

#include "reports/document/document.hpp"
#include "reports/expectations/expectations.hpp"
#include "reports/formats.hpp"
#include "reports/requests/summary.hpp"

namespace spillway::reports {
namespace {

std::string expectations_text(const Tally& counted, std::size_t all) {
  const char* const verdict = counted.hold == all ? "OK" : counted.fail > 0 ? "FAILED" : "UNDECIDED";
  return fmt::format("{}: {} of {} expectations met{}", verdict, counted.hold, all, open_text(counted));
}

}  // namespace

void add_verdict(Page& page, const Report& report) {
  const Tally counted = tally(report.verdicts);
  std::string text = report.verdicts.empty() ? "" : expectations_text(counted, report.verdicts.size());
  if (const std::string failed = failed_requests_text(report.results); !failed.empty()) {
    text += text.empty() ? failed : "; " + failed;
  }
  if (text.empty()) {
    return;
  }
  page.on(Medium::markup).title({text});
  page.on(Medium::terminal).list({text}, 0, tone_of(text));
  if (!report.failures.empty()) {
    page.attached().list(report.failures, 2);
  }
}

void add_closing(Page& page, const Report& report) {
  std::vector<std::string> lines = summary_lines(report.scenario, report.results);
  lines.insert(lines.end(), report.warnings.begin(), report.warnings.end());
  page.list(lines);
}

}  // namespace spillway::reports
