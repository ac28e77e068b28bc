// Tests simulated counts against the exact shares that one scenario expects, and judges all tests together. If all
// shares are right, the chance that any test fails is one in a million, however many tests there are.
#pragma once

#include <cstddef>
#include <vector>

#include "reports/expectations/verdict.hpp"
#include "sim/statistics/goodness_of_fit.hpp"

namespace spillway::reports {

using statistics::Category;

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

}  // namespace spillway::reports
