// A sum of doubles without accumulated rounding error: ten times 0.03 is 0.3 and not 0.30000000000000004.
//
// Neumaier's variant of Kahan's summation: the error of each addition is kept and added at the end. For any practical
// number of terms the result is the true sum rounded once.
#pragma once

#include <cmath>

namespace spillway::numeric {

class CompensatedSum {
 public:
  void add(double term) {
    const double next = sum_ + term;
    lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - next) + term : (term - next) + sum_;
    sum_ = next;
  }
  [[nodiscard]] double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0.0;
  double lost_ = 0.0;
};

}  // namespace spillway::numeric
