#include <algorithm>
#include <fmt/format.h>
#include <string>

#include "reports/plan/plan_report.hpp"
#include "reports/plan/plan_words.hpp"
#include "reports/text/escapes.hpp"
#include "sim/plan/plan.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports {

std::string plan_junit(const scenario::Scenario& scenario, const plan::Plan& plan) {
  const auto failed = std::count_if(plan.rows.begin(), plan.rows.end(),
                                    [](const plan::Row& row) { return !row.has_no_traffic() && !row.holds(); });
  const auto skipped =
      std::count_if(plan.rows.begin(), plan.rows.end(), [](const plan::Row& row) { return row.has_no_traffic(); });
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\"{}>\n",
      xml_escaped(scenario.name), plan.rows.size(), failed, skipped > 0 ? fmt::format(" skipped=\"{}\"", skipped) : "");
  for (const plan::Row& row : plan.rows) {
    text += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml_escaped(scenario.name),
                        xml_escaped("losing " + row.failure.name));
    text += row.has_no_traffic() ? "><skipped message=\"no traffic\"/></testcase>\n"
            : row.holds()        ? "/>\n"
                                 : fmt::format("><failure message=\"{}\"/></testcase>\n",
                                               xml_escaped(verdict_text(scenario, plan, row)));
  }
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace spillway::reports
