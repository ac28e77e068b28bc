// Tests whether counts fit expected shares: the likelihood-ratio (G) test.
//
//   double chance = chance_of_counts({{60021, 0.6}, {39979, 0.4}});
//
// The chance is the probability that random picks of these shares deviate at least this much. G = 2 sum count ln(count
// / (total share)) is compared with the chi-square distribution with categories - 1 degrees of freedom. Picks that are
// more even than random ones (round robin) deviate less, and pass.
#pragma once

#include <cstdint>
#include <vector>

namespace spillway::statistics {

struct Category {
  std::uint64_t count = 0;
  double share = 0.0;  // 0 to 1; the sum of all is 1
};

// A share this close to 0 or 1 counts as 0 or 1: sums of integer quotients have far smaller errors.
inline constexpr double share_slack = 1e-12;

// Returns a chance between 0 and 1. Returns 0 if a category of share 0 has counts. Returns 1 if one category or no
// count is left, since there is nothing to test. If the shares were chosen to fit these counts, the result is an upper
// bound of the chance: the true shares cannot fit better.
[[nodiscard]] double chance_of_counts(const std::vector<Category>& categories);

// Merges categories that expect fewer than `least` counts, thinnest first, until they expect at least as many. The
// chi-square distribution is inaccurate for thinner ones. Categories of share 0 without counts are removed; if one has
// counts, nothing is changed.
[[nodiscard]] std::vector<Category> without_thin_categories(std::vector<Category> categories, double least = 5.0);

}  // namespace spillway::statistics
