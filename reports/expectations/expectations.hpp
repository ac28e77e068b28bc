// Compares what a scenario expects with what a run found.
//
//   Verdicts verdicts = evaluate(scenario, results);
//
// One verdict for each row of each expected table and one for each assertion, in the order of the file. A documented
// figure must be the exact one at the figure's own precision, rounded half up; where the scenario names another exact
// figure beside it, exact must be that and the document must really differ. In mode `requests` the counts of every row
// must fit its exact shares by a G-test (reports/expectations/fit_tests.hpp); where no closed form exists, they must
// fit the documented figure. A table must have as many rows as there are epochs. Assertions of shares without a closed
// form and of measured utilisation are met or not where the whole 95 % interval says so, else undecided.
#pragma once

#include <string>

#include "models/documents/source.hpp"
#include "reports/expectations/verdict.hpp"

namespace spillway::run {
struct Results;  // results.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports {

[[nodiscard]] Verdicts evaluate(const scenario::Scenario& scenario, const run::Results& results);

struct Tally {
  std::size_t hold = 0;
  std::size_t fail = 0;
  std::size_t not_tested = 0;
  std::size_t undecided = 0;
};
[[nodiscard]] Tally tally(const Verdicts& verdicts);

// "expectations: 4 of 6 met, 1 not tested, 1 undecided"; empty without any.
[[nodiscard]] std::string tally_text(const Verdicts& verdicts);

// ", 1 not tested, 1 undecided", or nothing.
[[nodiscard]] std::string open_text(const Tally& tally);

// "failover.yaml:48:22: table ...: expected 31 %, exact 30 %", a line for each failure and for what is open.
[[nodiscard]] std::vector<std::string> failure_lines(const Verdicts& verdicts, const Sources& sources);

}  // namespace spillway::reports
