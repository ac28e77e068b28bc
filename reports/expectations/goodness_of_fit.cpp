#include "reports/expectations/goodness_of_fit.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

namespace spillway::reports {
namespace {

double chi_square_survival(double statistic, double degrees_of_freedom) {
  using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  return boost::math::gamma_q(degrees_of_freedom / 2.0, statistic / 2.0, Policy{});
}

}  // namespace

double chance_of_counts(const std::vector<Category>& categories) {
  std::uint64_t total = 0;
  for (const Category& category : categories) {
    total += category.count;
  }
  if (total == 0) {
    return 1.0;
  }
  double statistic = 0.0;
  int possible = 0;
  for (const Category& category : categories) {
    if (category.share <= share_slack) {
      if (category.count > 0) {
        return 0.0;
      }
      continue;
    }
    ++possible;
    if (category.count == 0) {
      continue;
    }
    const auto count = static_cast<double>(category.count);
    statistic += 2.0 * count * std::log(count / (static_cast<double>(total) * category.share));
  }
  if (possible < 2) {
    return 1.0;
  }
  return chi_square_survival(std::max(0.0, statistic), possible - 1);
}

}  // namespace spillway::reports
