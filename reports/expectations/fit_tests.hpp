// The tests of simulated counts against exact shares that one scenario asks for, judged together: with one chance in
// a million that any of them fails although all shares are right, however many there are.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/expectations/verdict.hpp"
#include "sim/statistics/goodness_of_fit.hpp"

namespace spillway::reports {

using statistics::Category;

class FitTests {
 public:
  // `failure` is added to verdict number `verdict`, with the chance at the end of its message, if the counts do not
  // fit.
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
