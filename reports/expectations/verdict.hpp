// What became of an expectation.
#pragma once

#include <string>
#include <vector>

#include "models/documents/source.hpp"

namespace spillway::reports {

// One figure that is not what its author expected, ready to print.
struct Failure {
  std::string row;         // "row 3 (20 - 30 s)"; empty outside tables
  std::string column;      // "P1"; empty if the whole row is meant
  std::string expected;    // "31 %"
  std::string documented;  // the same unless the scenario gives a figure of its own beside the document's
  std::string exact;       // "30 %"; empty if unknown
  std::string simulated;   // "30.02"; empty if nothing was sent or counted
  std::string message;     // a sentence with all of it
  Span where;
};

// Undecided: what was counted leaves both open, within the 95 % interval of chance.
enum class Outcome { holds, fails, not_tested, undecided };

// A row of an expected table, or an assertion.
struct Verdict {
  Outcome outcome = Outcome::holds;
  std::string title;  // `table "share of frontend by zone" row 3 (20 - 30 s)`
  std::vector<Failure> failures;
  std::string not_tested;  // why
  Span where;
  std::string undecided = {};  // what was found, and what would decide it
};

using Verdicts = std::vector<Verdict>;

}  // namespace spillway::reports
