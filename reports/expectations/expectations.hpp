// Compares a scenario's expectations with the results of a run.
//
//   Verdicts verdicts = evaluate(scenario, results);
//
// There is one verdict per row of each expected table and one per assertion, in the order of the file. A documented
// figure must be the exact one at the figure's own precision, rounded half up. If the scenario gives another exact
// figure for it, the exact share must equal that figure and the documented figure must differ.
// In mode `requests` the counts of every row must fit its exact shares by a G-test
// (reports/expectations/judge.hpp). If no closed form exists, they must fit the documented figure. A table must
// have as many rows as there are epochs.
// Assertions of shares without a closed form, and of measured utilisation, are met or not if the whole 95 % interval
// agrees; otherwise they are undecided.
#pragma once

#include <string>

#include "models/documents/source.hpp"
#include "reports/expectations/verdict.hpp"
#include "sim/run/forward.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {

[[nodiscard]] Verdicts evaluate(const scenario::Scenario& scenario, const run::Results& results);

struct Tally {
  std::size_t hold = 0;
  std::size_t fail = 0;
  std::size_t not_tested = 0;
  std::size_t undecided = 0;
};
[[nodiscard]] Tally tally(const Verdicts& verdicts);

// Returns "expectations: 4 of 6 met, 1 not tested, 1 undecided"; empty if there are none.
[[nodiscard]] std::string tally_text(const Verdicts& verdicts);

// Returns ", 1 not tested, 1 undecided"; empty if all were decided.
[[nodiscard]] std::string open_text(const Tally& tally);

// Returns one line per failure and per undecided or untested expectation: "failover.yaml:48:22: table ...: expected 31
// %, exact 30 %".
[[nodiscard]] std::vector<std::string> failure_lines(const Verdicts& verdicts, const Sources& sources);

}  // namespace spillway::reports
