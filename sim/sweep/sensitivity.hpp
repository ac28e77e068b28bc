// Sensitivity of an outcome to each key, from the points of a screening (Morris) or of variance-based indices
// (Saltelli).
//
//   Sensitivity found = read_sensitivity("keys.sqlite", {.y = "p99"});
//   found.keys.front().name;     // the one that matters most
//
// Intervals are Student's over the effects, or a bootstrap of the base points with a fixed seed. Source: Morris 1991
// with the mean of absolute effects of Campolongo and others 2007; Jansen's estimators of Sobol's indices as in
// Saltelli and others 2010, table 2.
#pragma once

#include <string>
#include <vector>

#include "sim/sweep/query.hpp"
#include "sim/sweep/space.hpp"

namespace spillway::sweep {

struct KeySensitivity {
  std::string name;
  // Morris: the mean absolute change of the figure over the key's whole range. Sobol: the total index, the fraction of
  // the figure's variance that would remain if all other keys were known.
  double effect = 0.0;
  double half_width = 0.0;  // of the 95 % interval
  // Morris: the standard deviation of the effects, caused by interactions or nonlinearity. Sobol: the first-order
  // index, the fraction of the variance that this key explains by itself.
  double second = 0.0;
  double second_half_width = 0.0;
};

struct Sensitivity {
  Design design = Design::morris;
  Figure figure;
  std::vector<KeySensitivity> keys;  // largest effect first
  std::size_t samples = 0;           // complete trajectories or base points
};

// Throws StoreProblem; SP956 also for a sweep of another design, or without a complete sample.
[[nodiscard]] Sensitivity read_sensitivity(const std::string& path, const Question& question);

}  // namespace spillway::sweep
