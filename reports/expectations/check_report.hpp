// Formats the results of `spillway check`, in every format.
#pragma once

#include <string>
#include <vector>

#include "models/documents/source.hpp"
#include "reports/expectations/verdict.hpp"
#include "reports/formats.hpp"

namespace spillway::reports {

struct CheckedScenario {
  std::string file;
  std::string name;
  Verdicts verdicts;
  std::string crash;                   // empty unless the run itself failed
  bool stopped = false;                // before it was complete; `crash` has the reason
  std::string known_differences = {};  // "87 readings are known differences": met, but not as documented
};

// True if every expectation was tested and met.
[[nodiscard]] bool passed(const CheckedScenario& scenario);
// True if nothing failed, but something is undecided or not tested.
[[nodiscard]] bool is_open(const CheckedScenario& scenario);

// Serialize verdicts for another process.
[[nodiscard]] std::string verdicts_to_bytes(const Verdicts& verdicts);
[[nodiscard]] Verdicts verdicts_from_bytes(const std::string& bytes);

// Formats the results. `table` has one line per scenario with its failures below; `wide` and `csv` have one line per
// expectation; `markdown` is for a pull request. `sources` has the sources of each scenario, in the same order.
[[nodiscard]] std::string format_check(const std::vector<CheckedScenario>& scenarios,
                                       const std::vector<Sources>& sources, Format format, const Look& look);

[[nodiscard]] std::string format_check_json(const std::vector<CheckedScenario>& scenarios,
                                            const std::vector<Sources>& sources);

// Formats one test suite per scenario, one test case per expectation.
[[nodiscard]] std::string format_junit(const std::vector<CheckedScenario>& scenarios,
                                       const std::vector<Sources>& sources);

}  // namespace spillway::reports
