#include "reports/shares/closing_lines.hpp"

#include "reports/document/document.hpp"
#include "reports/expectations/expectations.hpp"
#include "reports/formats.hpp"
#include "reports/requests/summary.hpp"

namespace spillway::reports {

void add_closing(Page& page, const Report& report) {
  std::vector<std::string> lines = summary_lines(report.scenario, report.results);
  lines.insert(lines.end(), report.warnings.begin(), report.warnings.end());
  page.list(lines);
  if (!report.verdicts.empty()) {
    if (!lines.empty()) {
      page.attached();
    }
    const bool all_hold = tally(report.verdicts).hold == report.verdicts.size();
    page.list({tally_text(report.verdicts)}, 0, all_hold ? Tone::good : Tone::bad);
    page.attached().list(report.failures, 2);
  }
}

}  // namespace spillway::reports
