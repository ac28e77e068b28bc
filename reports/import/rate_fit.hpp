// Requests a second of routes, from what was counted of the clusters that they lead to.
//
//   // /a sends 30 % of its requests to the first cluster and 70 % to the second, / all to the first.
//   const FittedRates fitted = fit_rates({100.0, 50.0}, {{{0, 0.3}, {1, 0.7}}, {{0, 1.0}}});
//   fitted.rates;   // 71.43 and 78.57
//   fitted.sent;    // 100 and 50
//
// Least squares of what is sent to each cluster relative to its count, with no rate below 0. Counts below 1 % of the
// largest one are held against that: of a few requests chance says more than a weight does. Where several rates fit
// alike, they are those nearest to an even split, in which each cluster's count divides evenly over the routes that
// lead to it (and a route of several clusters takes the least that they leave it).
#pragma once

#include <cstddef>
#include <vector>

namespace spillway::reports::importing {

// A counted cluster that a route leads to.
struct RoutePart {
  std::size_t cluster = 0;
  double part = 1.0;  // of the route's requests, above 0
};

struct FittedRates {
  std::vector<double> rates;   // by route
  std::vector<char> is_guess;  // by route, 1: other rates fit as well
  std::vector<double> sent;    // by cluster: what these rates send to it
};

// `counted`: requests a second by cluster. Each route has one part or more. By conjugate gradients: linear in all parts
// for each step, of which there are about as many as rates that depend on each other.
[[nodiscard]] FittedRates fit_rates(const std::vector<double>& counted,
                                    const std::vector<std::vector<RoutePart>>& routes);

}  // namespace spillway::reports::importing
