#include <fmt/format.h>

#include "reports/expectations/check_report.hpp"
#include "reports/shares/places.hpp"
#include "reports/text/escapes.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::reports {
namespace {

std::string test_case(const Verdict& verdict, const CheckedScenario& scenario, const Sources& sources) {
  std::string text =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml_escaped(scenario.name), xml_escaped(verdict.title));
  if (verdict.outcome == study::Verdict::met) {
    return text + "/>\n";
  }
  text += ">\n";
  for (const Failure& failure : verdict.failures) {
    text += fmt::format("      <failure message=\"{}\">{}</failure>\n", xml_escaped(failure.message),
                        xml_escaped(place_text(failure.where, sources)));
  }
  if (verdict.is_open()) {
    text += fmt::format("      <failure message=\"{}\"/>\n", xml_escaped(verdict.open_text()));
  }
  return text + "    </testcase>\n";
}

std::size_t failed_cases(const CheckedScenario& scenario) {
  std::size_t failed = 0;
  for (const Verdict& verdict : scenario.verdicts) {
    failed += verdict.outcome == study::Verdict::met ? 0 : 1;
  }
  return failed;
}

}  // namespace

std::string format_junit(const std::vector<CheckedScenario>& scenarios, const std::vector<Sources>& sources) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    const CheckedScenario& scenario = scenarios[i];
    const bool crashed = !scenario.crash.empty();
    text += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n",
                        xml_escaped(scenario.file), scenario.verdicts.size() + (crashed ? 1 : 0),
                        failed_cases(scenario), crashed ? 1 : 0);
    for (const Verdict& verdict : scenario.verdicts) {
      text += test_case(verdict, scenario, sources[i]);
    }
    if (crashed) {
      text += fmt::format("    <testcase classname=\"{}\" name=\"run\"><error message=\"{}\"/></testcase>\n",
                          xml_escaped(scenario.name), xml_escaped(scenario.crash));
    }
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

}  // namespace spillway::reports
