// Judges each kind of expectation, one file per kind. For reports/expectations/expectations.cpp.
#pragma once

#include <cstddef>
#include <vector>

#include "reports/expectations/verdict.hpp"
#include "sim/run/forward.hpp"
#include "sim/scenario/expectation.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/statistics/goodness_of_fit.hpp"

namespace spillway::reports {

using statistics::Category;

// Tests simulated counts against the exact shares that one scenario expects, and judges all tests together. If all
// shares are right, the chance that any test fails is one in a million, however many tests there are.
class FitTests {
 public:
  // Adds a test: if the counts do not fit, `failure` goes to verdict number `verdict`, with the chance at the end of
  // its message.
  void add(std::size_t verdict, std::vector<Category> categories, Failure failure);

  void judge(Verdicts& verdicts) const;

 private:
  struct Test {
    std::size_t verdict;
    std::vector<Category> categories;
    Failure failure;
  };
  std::vector<Test> tests_;
};

// The input and output of the judges.
struct Court {
  const scenario::Scenario& scenario;
  const run::Results& results;
  Verdicts& verdicts;
  FitTests& fit_tests;
};

void judge_table(const scenario::ExpectedTable& table, Court& court);
void judge_outcome(const scenario::OutcomeAssertion& assertion, Court& court);
void judge_share(const scenario::ShareAssertion& assertion, Court& court);
void judge_utilisation(const scenario::UtilisationAssertion& assertion, Court& court);

void fail(Verdict& verdict, Failure failure);
// Says that it was not tested, unless it failed.
void leave_open(Verdict& verdict, std::string why);

// words_of() returns "at most ", "at least " or ""; selector_text() returns " zone-2 backend-1" or "". compares() is
// true if the number satisfies the comparison.
[[nodiscard]] std::string_view words_of(scenario::Comparison comparison);
[[nodiscard]] std::string selector_text(const scenario::Selector& selector);
[[nodiscard]] bool compares(double number, scenario::Comparison comparison, double limit);

// Returns the requests of the epoch that went to selected places.
[[nodiscard]] std::uint64_t counted(const run::Results& results, const run::Epoch& epoch,
                                    const scenario::Selector& selector);

// True if the measured number equals the figure at the figure's precision.
[[nodiscard]] bool prints_as(double measured, const scenario::Figure& figure);

// Returns the share nearest to `share` that prints as the figure.
[[nodiscard]] double nearest_printing_as(double share, const scenario::Figure& figure);

// Returns requests of a part and of the rest, as two categories.
[[nodiscard]] std::vector<Category> part_and_rest(std::uint64_t part, std::uint64_t all, double share);

}  // namespace spillway::reports
