// Points in the unit cube for designs of many keys, row by row: parts[point * dimensions + dimension].
//
//   std::vector<double> parts = latin_hypercube(200, 5, seed);   // 200 points, 5 numbers from 0 to 1 each
//
// The same numbers on every machine. Sources: McKay, Beckman and Conover 1979 (Latin hypercube); Joe and Kuo's
// direction numbers by Boost (Sobol); Morris 1991 with 4 levels; Saltelli and others 2010, table 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace spillway::sweep {

// One point in each of `points` strata of every dimension.
[[nodiscard]] std::vector<double> latin_hypercube(std::size_t points, std::size_t dimensions, std::uint64_t seed);

// The sequence without its first point, the origin. At most 3,667 dimensions.
[[nodiscard]] std::vector<double> sobol_sequence(std::size_t points, std::size_t dimensions);

// `starts` ways of dimensions + 1 points, each a step of 2/3 in one dimension after another, in random order.
[[nodiscard]] std::vector<double> morris_ways(std::size_t starts, std::size_t dimensions, std::uint64_t seed);

// `base` points of A, as many of B, then for each dimension those of A with that dimension from B.
[[nodiscard]] std::vector<double> saltelli_points(std::size_t base, std::size_t dimensions);

}  // namespace spillway::sweep
