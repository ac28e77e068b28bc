// The verdict on an expectation.
#pragma once

#include <string>
#include <vector>

#include "models/documents/source.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::reports {

// A figure that differs from the expected one, ready to print.
struct Failure {
  std::string row;         // "row 3 (20 - 30 s)"; empty outside tables
  std::string column;      // "P1"; empty if the failure concerns the whole row
  std::string expected;    // "31 %"
  std::string documented;  // as `expected`, unless the scenario gives a figure besides the document's
  std::string exact;       // "30 %"; empty if unknown
  std::string simulated;   // "30.02"; empty if no request was sent or counted
  std::string message;     // a sentence with all of these
  Span where;
};

// A verdict on a row of an expected table, or on an assertion.
struct Verdict {
  study::Verdict outcome = study::Verdict::met;  // undecided: within the 95 % interval of the counts
  std::string title;                             // `table "share of frontend by zone" row 3 (20 - 30 s)`
  std::vector<Failure> failures;
  std::string why_open;  // unknown: why it was not tested; undecided: the result, and what would decide it
  Span where;

  [[nodiscard]] bool is_open() const noexcept {
    return outcome == study::Verdict::unknown || outcome == study::Verdict::undecided;
  }
  // Returns "not tested: mode exact sends no requests" or why it is undecided. Precondition: is_open().
  [[nodiscard]] std::string open_text() const {
    return (outcome == study::Verdict::unknown ? "not tested: " : "") + why_open;
  }
  // Returns open_text() as a sentence that says what it is about.
  [[nodiscard]] std::string open_sentence() const {
    return (outcome == study::Verdict::unknown ? title + ": " : "") + open_text();
  }
};

using Verdicts = std::vector<Verdict>;

}  // namespace spillway::reports
