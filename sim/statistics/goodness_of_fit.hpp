// Do counts fit the shares they should have? The likelihood-ratio (G) test.
//
//   double chance = chance_of_counts({{60021, 0.6}, {39979, 0.4}});
//
// The chance that random picks of these shares stray at least so far: G = 2 sum count ln(count / (total share)) against
// the chi-square distribution with one degree of freedom less than categories. Picks that are spread more evenly than
// random ones (round robin) stray less, and pass.
#pragma once

#include <cstdint>
#include <vector>

namespace spillway::statistics {

struct Category {
  std::uint64_t count = 0;
  double share = 0.0;  // 0 to 1; all together 1
};

// A share this close to 0 or 1 is meant to be it: sums of quotients of integers are off by far less.
inline constexpr double share_slack = 1e-12;

// Between 0 and 1. A category of share 0 must have no counts, else the answer is 0; with one category left, or no
// counts, there is nothing to test and the answer 1. Where the shares were chosen among several so that they suit these
// very counts, the chance is at most the answer: those that were true cannot suit them better.
[[nodiscard]] double chance_of_counts(const std::vector<Category>& categories);

// Categories that expect fewer than `least` counts added up, the thinnest first, until they expect as many: the
// chi-square distribution is no good for thinner ones. Those of share 0 that have no counts are left out; where one has
// some, nothing is changed.
[[nodiscard]] std::vector<Category> without_thin_categories(std::vector<Category> categories, double least = 5.0);

}  // namespace spillway::statistics
