// Fits the request rates of routes [1/s] to the counts of the clusters that they lead to.
//
//   // /a sends 30 % of its requests to the first cluster and 70 % to the second, / all to the first.
//   const FittedRates fitted = fit_rates({100.0, 50.0}, {{{0, 0.3}, {1, 0.7}}, {{0, 1.0}}});
//   fitted.rates;   // 71.43 and 78.57
//   fitted.sent;    // 100 and 50
//
// Weighted least squares: errors are relative to the cluster's count, and no rate is below 0. Counts below 1 % of the
// largest one are weighted as if they were 1 % of it: for few requests chance outweighs the weights.
// If several rates fit equally well, those nearest to an even split are chosen. In an even split each cluster's count
// divides evenly over the routes that lead to it. A route of several clusters takes the least that they leave it.
#pragma once

#include <cstddef>
#include <vector>

namespace spillway::reports::importing {

// A counted cluster that gets requests of a route.
struct RoutePart {
  std::size_t cluster = 0;
  double part = 1.0;  // fraction of the route's requests, above 0
};

struct FittedRates {
  std::vector<double> rates;   // by route
  std::vector<char> is_guess;  // by route, 1: other rates fit equally well
  std::vector<double> sent;    // by cluster: the resulting rate
};

// Fits the rates. `counted`: requests per second by cluster. Precondition: each route has a part. Uses conjugate
// gradients: linear in all parts per step, and about as many steps as rates that depend on each other.
[[nodiscard]] FittedRates fit_rates(const std::vector<double>& counted,
                                    const std::vector<std::vector<RoutePart>>& routes);

}  // namespace spillway::reports::importing
