// The search algorithms: trials of single values (trials.hpp), each chosen by the results of earlier ones.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace spillway::sweep {

class Trials;     // trials.hpp
struct FindText;  // find.hpp
struct Found;     // find.hpp
struct Trial;     // find.hpp

inline constexpr double resolution = 0.01;
inline constexpr std::uint32_t of_proofs = 1'000'000;  // first replication of a proof; not used by others

// Returns evenly spread fractions of a range, including both ends.
[[nodiscard]] std::vector<double> evenly_spread(std::size_t values);

// True if the search need not continue between two values: they differ by at most 1 %, or are adjacent whole numbers.
[[nodiscard]] bool is_close(const Trial& one, const Trial& other, bool whole);

// Screens many values with few replications: drops the worse half and doubles the replications of the rest, repeatedly.
// A lower `rank` is better.
void screen(Trials& trials, std::uint32_t all_replications, const std::function<double(const Trial&)>& rank);

// Returns the furthest value of a key at which conditions hold.
[[nodiscard]] Found search_threshold(const FindText& text, Trials& trials);

// Returns the value of a key at which a figure is lowest or highest.
[[nodiscard]] Found search_goal(const FindText& text, Trials& trials);

}  // namespace spillway::sweep
