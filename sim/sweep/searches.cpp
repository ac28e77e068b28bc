#include "sim/sweep/searches.hpp"

#include <algorithm>
#include <cmath>

#include "sim/sweep/find.hpp"
#include "sim/sweep/trials.hpp"

namespace spillway::sweep {

std::vector<double> evenly_spread(std::size_t values) {
  std::vector<double> parts;
  for (std::size_t i = 0; i < values; ++i) {
    parts.push_back(static_cast<double>(i) / static_cast<double>(values - 1));
  }
  return parts;
}

bool is_close(const Trial& one, const Trial& other, bool whole) {
  const double distance = std::abs(other.number - one.number);
  return distance <= resolution * std::abs(one.number) || (whole && distance <= 1.0);
}

void screen(Trials& trials, std::uint32_t all_replications, const std::function<double(const Trial&)>& rank) {
  constexpr std::size_t screened_values = 33;  // if the result is not monotone, and for a goal
  std::vector<double> parts = evenly_spread(screened_values);
  for (std::uint32_t replications = std::min(2U, all_replications);; replications *= 2) {
    replications = std::min(replications, all_replications);
    trials.try_all(parts, replications);
    if (replications == all_replications) {
      return;
    }
    // Sorts by rank. Of values with equal rank, those further on stay.
    std::sort(parts.begin(), parts.end(), [&](double one, double other) {
      const double a = rank(trials.at(one));
      const double b = rank(trials.at(other));
      return a != b ? a < b : one > other;
    });
    parts.resize(std::max<std::size_t>(parts.size() / 2, 1));
  }
}

}  // namespace spillway::sweep
