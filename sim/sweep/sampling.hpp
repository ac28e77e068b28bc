// Points in the unit cube for designs of many keys, row by row: parts[point * dimensions + dimension].
//
//   std::vector<double> parts = latin_hypercube(200, 5, seed);   // 200 points, 5 numbers from 0 to 1 each
//
// Results are equal on every machine. Source: McKay, Beckman and Conover 1979 (Latin hypercube); Joe and Kuo's
// direction numbers, from Boost (Sobol); Morris 1991 with 4 levels; Saltelli and others 2010, table 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace spillway::sweep {

// Returns one point in each of `points` strata of every dimension.
[[nodiscard]] std::vector<double> latin_hypercube(std::size_t points, std::size_t dimensions, std::uint64_t seed);

// Returns the sequence without its first point, the origin. Precondition: at most 3,667 dimensions.
[[nodiscard]] std::vector<double> sobol_sequence(std::size_t points, std::size_t dimensions);

// Returns `starts` trajectories of dimensions + 1 points. Each step is 2/3 in one dimension, in random order of
// dimensions.
[[nodiscard]] std::vector<double> morris_ways(std::size_t starts, std::size_t dimensions, std::uint64_t seed);

// Returns `base` points of A, as many of B, then for each dimension those of A with that dimension from B.
[[nodiscard]] std::vector<double> saltelli_points(std::size_t base, std::size_t dimensions);

}  // namespace spillway::sweep
