// What `spillway check` found, in every format.
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
  std::string crash;                   // not empty: the run itself ended badly
  bool stopped = false;                // or was stopped before it was complete; `crash` says by what
  std::string known_differences = {};  // "87 readings are known differences": met, though not as documented
};

// Whether everything that was expected was tested and holds.
[[nodiscard]] bool passed(const CheckedScenario& scenario);

// From one process to another.
[[nodiscard]] std::string verdicts_to_bytes(const Verdicts& verdicts);
[[nodiscard]] Verdicts verdicts_from_bytes(const std::string& bytes);

// `table` has a line a scenario and what failed below it, `wide` and `csv` a line an expectation, `markdown` is for a
// pull request. `sources` are those of each scenario, in the same order.
[[nodiscard]] std::string format_check(const std::vector<CheckedScenario>& scenarios,
                                       const std::vector<Sources>& sources, Format format, const Look& look);

[[nodiscard]] std::string format_check_json(const std::vector<CheckedScenario>& scenarios,
                                            const std::vector<Sources>& sources);

// One test suite a scenario, one test case an expectation.
[[nodiscard]] std::string format_junit(const std::vector<CheckedScenario>& scenarios,
                                       const std::vector<Sources>& sources);

}  // namespace spillway::reports
